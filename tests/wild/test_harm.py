"""Each figure notices what it counts, and only that: `python3 -m unittest discover tests/wild`."""
import unittest

from harm import compare, dates, owed_lines, words

NOTE = "---\nname: Ports\n---\nThe gateway listens on 8443 since 2026-02-03.\nAsk the vendor today.\n"
INDEX = "# Notes\n\n- [Ports](ports.md) — where the gateway listens\n- [Ports, in short](ports.md) — 8443\nPlain words stay.\n"


def after(note=NOTE, index=INDEX, **more):
    encoded = {"ports.md": note, "MEMORY.md": index} | more
    return {name: content.encode() for name, content in encoded.items() if content is not None}


def harm(**changed):
    return {figure: count for figure, count in compare(after(), after(**changed)).counts().items() if count}


class Figures(unittest.TestCase):
    def test_nothing_done_is_no_harm(self):
        self.assertEqual(harm(), {})

    def test_a_memory_that_goes_takes_its_words_along(self):
        found = compare(after(), after(note=None))
        self.assertEqual((found.removed, found.changed), (["ports.md"], []))
        self.assertIn("vendor", found.words)
        self.assertNotIn("gateway", found.words, "the index still says it")

    def test_a_memory_that_nobody_wrote_is_a_change(self):
        self.assertEqual(harm(**{"new.md": "The gateway\n"}), {"changed": 1})

    def test_a_day_for_today_is_invented_and_today_is_lost(self):
        found = compare(after(), after(note=NOTE.replace("today", "2026-11-16")))
        self.assertEqual((found.dates, "today" in found.words), ([("ports.md", "2026-11-16")], True))

    def test_a_line_that_moved_brings_its_date_and_a_file_may_say_when_it_was_written(self):
        before = after() | {"a.md": b"Asked on 2025-01-01.\n"}
        now = after(note=NOTE.replace("name: Ports", "name: Ports\nmodified: 2026-11-16") + "Asked on 2025-01-01.\n")
        self.assertEqual(compare(before, now).dates, [])

    def test_a_pointer_may_say_the_date_of_its_memory_and_no_other(self):
        self.assertEqual(harm(index=INDEX + "- [More](more.md) — since 2026-02-03\n"), {})
        self.assertEqual(harm(index=INDEX + "- [More](more.md) — since 2026-02-04\n"), {"dates": 1})

    def test_index_lines_that_change_go_or_move_are_counted(self):
        for was, now, count in [("where the gateway", "where a gateway", 1), ("Plain words stay.\n", "", 1),
                                ("- [Ports, in short](ports.md) — 8443\n", "", 1)]:
            self.assertEqual(compare(after(), after(index=INDEX.replace(was, now))).counts()["lines"], count, was)
        lines = INDEX.splitlines(keepends=True)
        self.assertEqual(harm(index="".join([*lines[:2], lines[3], lines[2], lines[4]])), {"lines": 1})

    def test_a_new_pointer_is_no_harm_to_the_lines_that_are_there(self):
        self.assertEqual(harm(index=INDEX + "- [More](more.md)\n"), {})

    def test_a_dead_pointer_and_the_same_line_twice_may_go_but_not_a_link_out_of_the_directory(self):
        index = b"- [Gone](gone.md)\n- [Here](a.md)\n- [Here](a.md)\n- [Spec](../docs/spec.md)\n- [Site](https://example.org/a.md)\n"
        self.assertEqual(owed_lines(index, {"a.md"}), ["- [Here](a.md)", "- [Spec](../docs/spec.md)", "- [Site](https://example.org/a.md)"])

    def test_dates_of_many_shapes_are_one_each(self):
        said = "on 2026-11-16, 3.4.2026, Apr 23, 5 de março, 2031, 2026年3月4日, 20日 and 3월 4일; v1.2.3, 20260, 40/41/42 and a_2026_b are none"
        self.assertEqual(dates(said), {"2026-11-16", "3.4.2026", "apr 23", "5 de março", "2031", "2026年3月4日", "3월 4일"})

    def test_words_are_long_ones_numbers_and_pairs_of_characters(self):
        self.assertEqual(words("The port 80 of Überbau: 部署在周五, 한국어 a".encode()), {"port", "80", "überbau", "部署", "署在", "在周", "周五", "한국", "국어"})


if __name__ == "__main__":
    unittest.main()
