"""The table of behaviours: what it says of each, and when it fails."""
import os, subprocess, sys, tempfile, unittest

import run

FOUND = {"p1": [("p1_a", "it/x.rs", "x::p1_a")], "p2": [("p2_a", "faults.rs", "p2_a"), ("p2_b", "it/x.rs", "x::p2_b")]}


class Table(unittest.TestCase):
    def judged(self, printed):
        return {id: word for id, (word, _) in run.judge(["P1", "P2", "P3"], FOUND, run.verdicts(printed)).items()}

    def test_a_behaviour_works_by_a_check_that_ran(self):
        printed = "test x::p1_a ... ok\ntest p2_a ... ok\ntest x::p2_b ... a line of its own\nFAILED\n"
        self.assertEqual(self.judged(printed), {"P1": "works", "P2": "fails", "P3": "no check"})

    def test_a_check_that_did_not_run_says_nothing(self):
        self.assertEqual(self.judged("test x::p1_a ... ignored\n"), {"P1": "not run", "P2": "not run", "P3": "no check"})

    def test_it_fails_unless_every_behaviour_works(self):
        names = {full for some in run.checks().values() for _, _, full in some}
        for left_out, code in (("", 0), ("r6_", 1)):
            kept = [name for name in names if not left_out or left_out not in name]
            with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False) as log:
                log.writelines("test %s ... ok\n" % name for name in kept)
            try:
                done = subprocess.run([sys.executable, run.__file__, "--log", log.name], capture_output=True, text=True)
            finally:
                os.remove(log.name)
            self.assertEqual(done.returncode, code, done.stdout[-300:])
            self.assertIn("R6   not run" if left_out else "R6   works", done.stdout)


if __name__ == "__main__":
    unittest.main()
