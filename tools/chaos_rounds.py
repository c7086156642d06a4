"""The rounds of tools/chaos: what is started, how it is disturbed, and what must hold afterwards."""
import os
import shutil
import signal
import subprocess

from chaos_site import Records, Run, Wrong

# What is run: small, of each kind of work; the shortest ones come first. The engine ptxas is left out where there is
# none.
SHORT = 4
RUNS = [
    ["--engine", "emu", "--shuffle", "fence.*"],
    ["--engine", "emu", "--mutants", "rule:fence.scope.set"],
    ["--engine", "ptxas", "--alone", "fence.scope*"],
    ["--engine", "emu,ptxas", "fence.scope*"],
    ["--engine", "emu", "family:gather"],
    ["--engine", "emu", "rule:group.wait.n"],
    ["--engine", "emu", "--mutants", "rule:group.wait.n"],
    ["--engine", "emu", "--delivery", "random", "--seed", "9", "rule:bar.red"],
    ["--engine", "emu", "--shard", "2/3", "rule:dsmem.mapa.access"],
    ["--engine", "emu", "--repeat", "2", "family:gather"],
    ["--engine", "emu", "--smoke"],
    ["--engine", "ptxas", "family:gather"],
    ["--engine", "ptxas", "--shard", "1/2", "family:fence"],
    ["--engine", "emu,ptxas", "family:gather"],
    ["--engine", "emu,ptxas", "--mutants", "fence.*"],
]
SIGNALS = [signal.SIGKILL, signal.SIGTERM, signal.SIGINT]


class Skipped(Exception):
    """Why a fault cannot be made here."""


class Rounds:
    """Each round is a function of this class named after what it does; it returns how many records it compared."""

    def __init__(self, site, rng, counts, has_ptxas, made, quick):
        self.site, self.rng, self.counts, self.made = site, rng, counts, made
        self.runs = [r for r in RUNS[:SHORT if quick else None] if has_ptxas or "ptxas" not in r[1]]

    # ---- killing ----

    def kill(self, run, seconds):
        """Kills the run, or a part of it, within so many seconds, unless it ends before. Whether all of it was killed."""
        whom = self.rng.choice(["run", "run", "run", "worker", "worker", "all", "below"])
        number = self.rng.choice(SIGNALS)
        moment = self.rng.random() * seconds
        again = self.rng.randint(1, 3)
        if run.ended(moment) is not None:
            return False
        if whom == "run" or whom == "all":
            self.counts["kills"] += 1
            self.counts["%s of %s" % (number.name, "the run" if whom == "run" else "all its processes")] += 1
            (os.kill if whom == "run" else os.killpg)(run.process.pid, number)
            return True
        while again > 0:
            again -= 1
            victims = run.children()
            if whom == "below":  # an assembler
                victims = [v for child in victims for v in run.children(child)] or victims
            if victims:
                try:
                    os.kill(self.rng.choice(victims), number)
                    self.counts["kills"] += 1
                    self.counts["%s of a child" % number.name] += 1
                except OSError:
                    pass  # it has just ended
            if run.ended(self.rng.random() * seconds / 3) is not None:
                break
        return False

    def begun(self, path):
        """Whether the file has a head, so that its run can go on."""
        if not os.path.exists(path):
            return False
        with open(path, "rb") as f:
            return b"\n" in f.read(1 << 16)

    def words(self, path, options):
        """The run of these options into the file, or the rest of it."""
        jobs = ["--jobs", str(self.rng.choice([1, 2, 3, 6]))]
        if self.begun(path):
            return ["run", "--no-recorded", "--resume", path] + jobs
        return ["run", "--no-recorded", "--out", path] + jobs + options

    def go_on(self, path, options, before=None):
        """Lets the run in the file come to its end, and compares it with an undisturbed one."""
        undisturbed, expected, _ = self.site.reference(options)
        if self.begun(path):
            self.site.sound(path, (0, 3))
            now = Records(path)
            if before:
                now.holds(before)
        run, status = self.site.run(self.words(path, options))
        if status != expected:
            raise Wrong("status %d, undisturbed %d: %s" % (status, expected, run.said()))
        return self.compare(path, undisturbed)

    def compare(self, path, undisturbed):
        self.site.sound(path, (0,))
        Records(path).equals(undisturbed)
        run, status = self.site.run(["diff", "--quiet", undisturbed.path, path])
        if status != 0:
            raise Wrong("copycheck diff ends with status %d: %s" % (status, run.said()))
        return len(undisturbed.said)

    # ---- rounds of kills ----

    def killed(self, folder):
        """A run is killed a few times, and goes on each time."""
        options = self.rng.choice(self.runs)
        undisturbed, expected, seconds = self.site.reference(options)
        path = os.path.join(folder, "run.jsonl")
        before = None
        for _ in range(self.rng.randint(1, 4)):
            run = Run(self.site, [self.site.program] + self.words(path, options))
            was_killed = self.kill(run, seconds)
            status = run.end()
            if not was_killed or status == expected:
                if status != expected:
                    raise Wrong("status %d, undisturbed %d: %s" % (status, expected, run.said()))
                count = self.compare(path, undisturbed)
                self.site.only(folder, ["run.jsonl"])
                return count
            if status > 0 and (status != 2 or "go on with --resume" not in run.said()) and status < 128:
                raise Wrong("status %d after a signal: %s" % (status, run.said()))
            if self.begun(path):
                self.site.sound(path, (0, 3))
                now = Records(path)
                if before:
                    now.holds(before)
                before = now
        count = self.go_on(path, options, before)
        self.site.only(folder, ["run.jsonl"])
        return count

    def soak(self, folder):
        """A soak is killed: its rounds' files are sound, and each goes on."""
        options = ["--engine", "emu", "fence.*"]
        undisturbed, _, seconds = self.site.reference(options)
        path = os.path.join(folder, "soak")
        words = [self.site.program, "run", "--soak", "--rounds", "2", "--out", path] + options
        run = Run(self.site, words)
        self.kill(run, 2 * seconds)
        run.end()
        for name in os.listdir(folder):
            file = os.path.join(folder, name)
            if self.begun(file) and self.site.sound(file, (0, 3)) == 3:
                self.site.run(["run", "--no-recorded", "--resume", file])
                self.site.sound(file, (0,))
        if self.begun(path + ".1"):
            self.compare(path + ".1", undisturbed)
        run, status = self.site.run(words[1:])
        if status != 0:
            raise Wrong("a soak after a killed one: status %d: %s" % (status, run.said()))
        self.site.only(folder, ["soak.1", "soak.2"])
        return 2 * len(undisturbed.said)

    def page(self, folder):
        """merge or upgrade is killed: the file that it writes is as it was or whole."""
        out = os.path.join(folder, "page")
        undisturbed, _, _ = self.site.reference(self.rng.choice(self.runs))
        words = ["upgrade", "--before", undisturbed.path, "--after", undisturbed.path, "--out", out]
        if self.made and self.rng.random() < 0.7:
            words = ["merge", self.fleet(), "--format", self.rng.choice(["text", "jsonl"]), "--out", out]
        run, expected = self.site.run(words)
        if expected != 0:
            raise Wrong("%s ends with status %d: %s" % (words[0], expected, run.said()))
        with open(out, "rb") as f:
            whole = f.read()
        for _ in range(self.rng.randint(1, 3)):
            with open(out, "wb") as f:
                f.write(b"before\n")
            run = Run(self.site, [self.site.program] + words)
            self.kill(run, self.rng.choice([0.05, 0.2, 0.5]))
            status = run.end()
            with open(out, "rb") as f:
                now = f.read()
            if now != (whole if status == expected else b"before\n") and now != whole:
                raise Wrong("%s: status %d, and the page is neither as it was nor whole" % (words[0], status))
            self.site.only(folder, ["page"])
        return 1

    def fleet(self):
        path = os.path.join(self.site.root, "fleet")
        if not os.path.exists(path):
            os.mkdir(path)
            subprocess.run([self.made, path, "20", "4000"], check=True, stdout=subprocess.DEVNULL)
        return path

    # ---- rounds of faults ----

    def disturbed(self, folder, options, expected_words, may_end=(2,), **how):
        """A run that a fault may end, with one of these exit statuses, goes on without it."""
        path = os.path.join(folder, "run.jsonl")
        undisturbed, expected, _ = self.site.reference(options)
        run, status = self.site.run(self.words(path, options), **how)
        if status == expected:
            count = self.compare(path, undisturbed)
        elif status in may_end and (status < 0 or any(words in run.said() for words in expected_words)):
            count = self.go_on(path, options)
        else:
            raise Wrong("status %d: %s" % (status, run.said()))
        self.site.only(folder, ["run.jsonl"])
        return count

    def small_file(self, folder):
        """The file of a run may not grow."""
        return self.disturbed(folder, self.rng.choice(self.runs), ["File too large", "ulimit -f"],
                              ulimit="-f %d" % self.rng.randint(1, 120))

    def memory(self, folder):
        """There is little memory."""
        return self.disturbed(folder, self.rng.choice(self.runs), ["copycheck: "],
                              ulimit="-v %d" % self.rng.randint(12000, 90000))

    def stdout(self, folder):
        """Standard output is closed, full, or nobody reads it."""
        options = self.rng.choice(self.runs)
        which = self.rng.choice(["closed", "full", "unread"])
        if which == "closed":
            return self.disturbed(folder, options, ["standard output"], closed=True)
        if which == "full":
            with open("/dev/full", "wb") as full:
                return self.disturbed(folder, options, ["standard output"], out=full)
        read, write = os.pipe()
        os.close(read)
        try:
            return self.disturbed(folder, options, ["standard output"], may_end=(2, -signal.SIGPIPE), out=write)
        finally:
            os.close(write)

    def clock(self, folder):
        """The clock goes back while the run is under way; half of these runs are killed too."""
        library = self.site.clock()
        if not library:
            raise Skipped("no C compiler makes a library that sets the clock back")
        options = self.rng.choice(self.runs)
        path = os.path.join(folder, "run.jsonl")
        undisturbed, expected, seconds = self.site.reference(options)
        run = Run(self.site, [self.site.program] + self.words(path, options), preload=library)
        if self.rng.random() < 0.5:
            self.kill(run, seconds)
        status = run.end()
        count = self.compare(path, undisturbed) if status == expected else self.go_on(path, options)
        self.site.only(folder, ["run.jsonl"])
        return count

    def two(self, folder):
        """Two runs in one tree at a time: into files of their own, or one of them is refused."""
        options = self.rng.choice(self.runs)
        undisturbed, expected, seconds = self.site.reference(options)
        if self.rng.random() < 0.5:
            return self.two_of_one_file(folder, options)
        words = [self.site.program, "run", "--no-recorded"] + options
        runs = [Run(self.site, words), Run(self.site, words)]
        killed = self.rng.random() < 0.5 and self.kill(runs[0], seconds)
        statuses = [run.end() for run in runs]
        files = sorted(name for name in os.listdir(self.site.own) if name.startswith("last"))
        for i, status in enumerate(statuses):
            if status != expected and not (killed and i == 0):
                raise Wrong("two runs: status %d: %s" % (status, runs[i].said()))
        for name in files:
            path = os.path.join(self.site.own, name)
            if self.begun(path):
                self.go_on(path, options)
            os.remove(path)
        self.site.only(self.site.own, ["copycheck", "kernels"])
        return len(files) * len(undisturbed.said)

    def two_of_one_file(self, folder, options):
        path = os.path.join(folder, "run.jsonl")
        undisturbed, expected, seconds = self.site.reference(options)
        first = Run(self.site, [self.site.program] + self.words(path, options))
        first.ended(self.rng.random() * seconds)
        second = Run(self.site, [self.site.program] + self.words(path, options))
        for run, status in ((second, second.end()), (first, first.end())):
            if status != expected and not (status == 2 and "another run writes" in run.said()):
                raise Wrong("two runs of one file: status %d: %s" % (status, run.said()))
        count = self.compare(path, undisturbed)
        self.site.only(folder, ["run.jsonl"])
        return count

    def disk(self, folder):
        """The disk is full; then there is room again."""
        if os.geteuid() != 0:
            raise Skipped("only root can mount a small file system")
        place = os.path.join(folder, "disk")
        os.mkdir(place)
        size = "size=%dk" % self.rng.randint(8, 160)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", size, "chaos", place], capture_output=True).returncode:
            raise Skipped("a small file system cannot be mounted")
        try:
            options = self.rng.choice(self.runs)
            path = os.path.join(place, "run.jsonl")
            undisturbed, expected, _ = self.site.reference(options)
            run, status = self.site.run(self.words(path, options))
            if status == 2 and "No space left" in run.said():
                subprocess.run(["mount", "-o", "remount,size=64m", place], check=True)
                count = self.go_on(path, options)
            elif status == expected:
                count = self.compare(path, undisturbed)
            else:
                raise Wrong("a full disk: status %d: %s" % (status, run.said()))
            self.site.only(place, ["run.jsonl"])
        finally:
            subprocess.run(["umount", place], check=True)
        shutil.rmtree(place)
        return count


KILLS = ["killed"] * 10 + ["soak", "page", "page"]
FAULTS = ["small_file", "memory", "stdout", "clock", "two", "disk"]
# SPDX-License-Identifier: Apache-2.0
