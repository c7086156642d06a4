"""Looks at a rule book: every link of every page leads to a file and an anchor that are there, the search has every
rule, and each rule's page has its sentence and source.

usage: book_links.py BOOK RULES.tsv    the rules as copycheck rules --format tsv prints them
"""
import html.parser
import json
import os
import re
import sys


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.text = set(), [], []
        with open(path, encoding="utf-8") as f:
            self.feed(f.read())

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.ids.add(value)
            elif name in ("href", "src"):
                self.links.append(value)

    def handle_data(self, data):
        self.text.append(data)


def main():
    book, rules = sys.argv[1:]
    pages, wrong = {}, []
    for folder, _, files in os.walk(book):
        for name in files:
            if name.endswith(".html"):
                path = os.path.join(folder, name)
                pages[os.path.normpath(path)] = Page(path)
    for path, page in pages.items():
        for link in page.links:
            file, _, anchor = link.partition("#")
            to = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
            if ":" in link or not os.path.exists(to):
                wrong.append(f"{path}: {link} leads nowhere")
            elif anchor and anchor not in pages[to].ids:
                wrong.append(f"{path}: {link}: no such place")
    with open(os.path.join(book, "index.js"), encoding="utf-8") as f:
        found = json.loads(re.sub(r",\s*\]$", "]", f.read().removeprefix("const BOOK = ").rstrip().rstrip(";")))
    index = {entry[0]: entry[1] for entry in found}
    with open(rules, encoding="utf-8") as f:
        head, *rows = [line.rstrip("\n").split("\t") for line in f]
    for row in rows:
        rule = dict(zip(head, row))
        page = pages.get(os.path.normpath(os.path.join(book, "rules", rule["id"] + ".html")))
        text = "".join(page.text) if page else ""
        if index.get(rule["id"]) != rule["sentence"]:
            wrong.append(f"{rule['id']}: not in the search, or with another sentence")
        if rule["sentence"] not in text or not all(s in text for s in rule["source"].split("; ")):
            wrong.append(f"{rule['id']}: its page lacks the sentence or a source")
    if len(found) != len(rows):
        wrong.append(f"{len(found)} rules in the search, {len(rows)} in the catalogue")
    print("\n".join(wrong[:20]) if wrong else f"{len(pages)} pages, {sum(len(p.links) for p in pages.values())} links")
    sys.exit(bool(wrong))


main()
# SPDX-License-Identifier: Apache-2.0
