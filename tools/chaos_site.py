"""Where tools/chaos runs copycheck: starting it, killing it, and what it leaves behind."""
import json
import os
import shutil
import signal
import subprocess
import time

PATIENCE = 120  # seconds after which a program hangs
GONE = 5        # seconds in which the workers of a killed run must be gone
# Members of a record that are of the run, not of the result.
TIMES = {"ms", "sum", "ratio", "low", "high", "rounds"}

# A clock that goes back a thousand seconds each second. What measures time goes by another one.
CLOCK = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>
static int real(clockid_t id, struct timespec *t)
{
    static int (*get)(clockid_t, struct timespec *);
    if (!get)
        *(void **)&get = dlsym(RTLD_NEXT, "clock_gettime");
    return get(id, t);
}
static time_t back(void)
{
    struct timespec t;
    real(CLOCK_MONOTONIC, &t);
    return 1000000000 - 1000 * (t.tv_sec % 100000) - t.tv_nsec / 1000000;
}
int clock_gettime(clockid_t id, struct timespec *t)
{
    const int end = real(id, t);
    if (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)
        t->tv_sec = back();
    return end;
}
time_t time(time_t *t)
{
    const time_t now = back();
    if (t)
        *t = now;
    return now;
}
int gettimeofday(struct timeval *t, void *zone)
{
    (void)zone;
    *t = (struct timeval){ .tv_sec = back() };
    return 0;
}
"""


class Wrong(Exception):
    """What does not hold."""


class Records:
    """A record file: what each point came to on each engine."""

    def __init__(self, path):
        self.path, self.said, self.end = path, {}, None
        with open(path, "rb") as f:
            lines = f.read().split(b"\n")
        for number, line in enumerate(lines):
            if not line:
                continue
            try:
                member = json.loads(line)
            except ValueError:
                if number + 1 == len(lines):
                    break  # the run was killed while it wrote this line
                raise Wrong("%s:%d is no JSON" % (path, number + 1))
            if "end" in member:
                self.end = (member["end"], member.get("digest"))
            if "point" not in member:
                continue
            key = member["point"], member["engine"]
            if key in self.said:
                raise Wrong("%s:%d: %s on %s is there twice" % (path, number + 1, *key))
            self.said[key] = {name: value for name, value in member.items() if name not in TIMES}

    def holds(self, before):
        """All that was there before is still there."""
        for key, said in before.said.items():
            if self.said.get(key) != said:
                raise Wrong("%s: %s on %s was lost or changed: %s, now %s" %
                            (self.path, *key, said, self.said.get(key)))

    def equals(self, undisturbed):
        """It says what an undisturbed run says."""
        self.holds(undisturbed)
        if len(self.said) != len(undisturbed.said) or self.end != undisturbed.end:
            raise Wrong("%s: %d records, end %s; an undisturbed run has %d, end %s" %
                        (self.path, len(self.said), self.end, len(undisturbed.said), undisturbed.end))


class Run:
    """A program that was started, in a session of its own."""

    def __init__(self, site, argv, out=None, ulimit=None, preload=None, closed=False):
        site.started += 1
        self.argv = argv
        self.err = os.path.join(site.root, "err-%d" % site.started)
        env = dict(os.environ, TMPDIR=site.tmp)
        if preload:
            env["LD_PRELOAD"] = preload
        words = list(argv)
        before = ("ulimit %s; " % ulimit if ulimit else "") + ("exec >&-; " if closed else "")
        if before:
            words = ["/bin/sh", "-c", before + 'exec "$@"', "sh"] + words
        with open(self.err, "wb") as err:
            self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=out or subprocess.DEVNULL,
                                            stderr=err, env=env, start_new_session=True, cwd=site.cwd)
        site.running = [run for run in site.running if run.process.poll() is None] + [self]

    def ended(self, seconds):
        """Its exit status, or None if it runs on after so many seconds."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def end(self):
        """Waits for its end, and for that of all that it started; the exit status."""
        status = self.ended(PATIENCE)
        if status is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            raise Wrong("no end within %d s: %s" % (PATIENCE, " ".join(self.argv)))
        limit = time.monotonic() + GONE
        while self.living():
            if time.monotonic() > limit:
                left = self.living()
                for pid in left:
                    os.kill(pid, signal.SIGKILL)
                raise Wrong("%d of its processes are left: %s" % (len(left), " ".join(self.argv)))
            time.sleep(0.01)
        return status

    def living(self):
        """The processes that it started and that have not ended: those of its session."""
        found = []
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open("/proc/%s/stat" % name) as f:
                    state, _, _, session = f.read().rpartition(")")[2].split()[:4]
            except OSError:
                continue  # it has just ended
            if int(session) == self.process.pid and state not in "ZX":
                found.append(int(name))
        return found

    def children(self, pid=None):
        pid = pid or self.process.pid
        try:
            with open("/proc/%d/task/%d/children" % (pid, pid)) as f:
                return [int(word) for word in f.read().split()]
        except OSError:
            return []

    def said(self):
        with open(self.err, errors="replace") as f:
            return f.read().strip()


class Site:
    """A folder of the tool's own, and what an undisturbed run came to in it."""

    def __init__(self, program, kernels, root):
        self.root, self.cwd = root, root
        self.started = 0
        self.running = []
        self.tmp = os.path.join(root, "tmp")
        os.mkdir(self.tmp)
        # A copy, beside which runs that name no file write their records.
        self.own = os.path.join(root, "own")
        os.mkdir(self.own)
        self.program = os.path.join(self.own, "copycheck")
        shutil.copy(program, self.program)
        os.symlink(os.path.abspath(kernels), os.path.join(self.own, "kernels"))
        self.undisturbed = {}

    def stop(self):
        """Kills what is still under way, where the tool itself is interrupted."""
        for run in self.running:
            if run.process.poll() is None:
                os.killpg(run.process.pid, signal.SIGKILL)
                run.process.wait()

    def folder(self, name):
        path = os.path.join(self.root, name)
        shutil.rmtree(path, ignore_errors=True)
        os.mkdir(path)
        return path

    def run(self, argv, **how):
        """Runs copycheck to its end; the run and its exit status."""
        run = Run(self, [self.program] + argv, **how)
        return run, run.end()

    def reference(self, options):
        """The records, the exit status and the seconds of a run that nobody disturbs."""
        key = tuple(options)
        if key not in self.undisturbed:
            path = os.path.join(self.root, "undisturbed-%d.jsonl" % len(self.undisturbed))
            since = time.monotonic()
            run, status = self.run(["run", "--no-recorded", "--out", path] + options)
            seconds = time.monotonic() - since
            if status not in (0, 1, 3):
                raise Wrong("an undisturbed run ends with status %d: %s" % (status, run.said()))
            self.undisturbed[key] = Records(path), status, seconds
        return self.undisturbed[key]

    def sound(self, path, statuses):
        """copycheck records says that the file is sound (status 0), or cut (3)."""
        run, status = self.run(["records", "--quiet", path])
        if status not in statuses:
            raise Wrong("copycheck records ends with status %d: %s" % (status, run.said()))
        return status

    def only(self, folder, names):
        """Nothing else is left in the folder, nor where temporary files go."""
        left = sorted(set(os.listdir(folder)) - set(names))
        if left or os.listdir(self.tmp):
            left += os.listdir(self.tmp)
            shutil.rmtree(self.tmp)
            os.mkdir(self.tmp)
            raise Wrong("left behind: %s" % ", ".join(left))

    def clock(self):
        """A library that sets the clock back; None where there is no compiler."""
        path = os.path.join(self.root, "clock.so")
        if not os.path.exists(path):
            compiler = shutil.which(os.environ.get("CC", "gcc")) or shutil.which("cc")
            if not compiler:
                return None
            with open(path + ".c", "w") as f:
                f.write(CLOCK)
            subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", path, path + ".c", "-ldl"], check=True)
        return path
# SPDX-License-Identifier: Apache-2.0
