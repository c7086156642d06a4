"""What a piece of the museum is. The pieces are in releases.py and commits.py."""

import os


class Piece:
    """A fix of a public project. Its sources, before and after: two releases of `package`, or two commits of `repository` at
    GitHub; of these the files `members`. `includes` are folders there, `needs` further packages: name, release, members,
    includes.

    `launch` is the program that launches the kernel, beside this file or in tools/others, or with a / in it a file of the
    project. It is built by nvcc; of a package that is a compiler, it is a Python script (museum.py, compiled). Where `cut`
    names a file of the project, its text goes into piece.cuh with the edits: pairs of a pattern and what stands instead.
    `still` says why the project behind the fix is named too, where it is; `same`: by the same rule."""

    def __init__(self, name, title, project, fix, before, after, launch, rules, seen, members, package=None, repository=None,
                 includes=(), needs=(), cut=None, edits=(), flags=(), flags_before=(), flags_after=(), args=(),
                 options="--schedules 2", still=None, same=False):
        self.name, self.title, self.project, self.fix = name, title, project, fix
        self.package, self.repository, self.before, self.after = package, repository, before, after
        self.launch, self.rules, self.seen, self.members = launch, rules, seen, members
        self.includes, self.needs, self.cut, self.edits, self.flags = includes, needs, cut, edits, flags
        self.flags_before, self.flags_after, self.args, self.options = flags_before, flags_after, args, options
        self.still, self.same = still, same

    def source(self, root, here):
        folders = [root] if "/" in self.launch else [here, os.path.join(os.path.dirname(here), "others")]
        return next(path for path in (os.path.join(f, self.launch) for f in folders) if os.path.exists(path))

    def versions(self):
        """Before and after in words."""
        return (self.before[:9], self.after[:9]) if self.repository else (self.before, self.after)


PULL = "https://github.com/{}/pull/{}"
# SPDX-License-Identifier: Apache-2.0
