//! English, rule by rule.

use jiff::civil::date;

use super::{TODAY, check, untouched};

#[test]
fn f4_days_near_today() {
    check(
        TODAY,
        &[
            ("we ship today", "we ship on 2026-04-10"),
            ("Today we ship", "2026-04-10 we ship"),
            ("as of today", "as of 2026-04-10"),
            ("Tomorrow: demo", "2026-04-11: demo"),
            ("starts tmrw", "starts on 2026-04-11"),
            ("the demo is the day after tomorrow at 14:00", "the demo is on 2026-04-12 at 14:00"),
            ("broken since the day before yesterday", "broken since 2026-04-08"),
            ("Yesterday's outage was the cert", "2026-04-09's outage was the cert"),
            ("third try goes out tonight", "third try goes out on the evening of 2026-04-10"),
            ("decided this morning", "decided on the morning of 2026-04-10"),
            ("the job failed last night", "the job failed on the night of 2026-04-09"),
            ("down since last night", "down since the night of 2026-04-09"),
            ("it is **tomorrow**", "it is **on 2026-04-11**"),
            ("from tomorrow noon until monday morning", "from 2026-04-11 noon until 2026-04-13 morning"),
        ],
    );
}

#[test]
fn f4_weekdays_alone_follow_the_tense() {
    check(
        TODAY,
        &[
            ("we meet on Thursday", "we meet on 2026-04-16"),
            ("by Friday we must ship", "by 2026-04-17 we must ship"),
            ("keep 18 until friday, then drop it", "keep 18 until 2026-04-17, then drop it"),
            ("moved to Tuesday", "moved to 2026-04-14"),
            ("The new hire starts Monday.", "The new hire starts on 2026-04-13."),
            ("ends Sunday at midnight", "ends on 2026-04-12 at midnight"),
            ("due fri", "due on 2026-04-17"),
            ("by EOD Wed", "by EOD 2026-04-15"),
            ("we lost data on Monday", "we lost data on 2026-04-06"),
            ("joined the team on monday as an analyst", "joined the team on 2026-04-06 as an analyst"),
            ("staging was wiped on Monday and won't be back", "staging was wiped on 2026-04-06 and won't be back"),
            ("On Monday, staging was wiped", "On 2026-04-06, staging was wiped"),
            ("we promised a demo on Friday", "we promised a demo on 2026-04-17"),
            ("read-only since Wednesday", "read-only since 2026-04-08"),
            ("it gets switched off on Friday", "it gets switched off on 2026-04-17"),
            ("Wednesday's board meeting decides", "2026-04-15's board meeting decides"),
            ("is serviced from Monday to Wednesday", "is serviced from 2026-04-13 to 2026-04-15"),
            ("stays closed from Monday night until Wednesday", "stays closed from 2026-04-13 night until 2026-04-15"),
            ("it broke on Friday", "it broke on 2026-04-03"),
        ],
    );
}

#[test]
fn f4_this_next_and_last_weekday() {
    check(
        TODAY,
        &[
            ("this Friday", "2026-04-10"),
            ("this coming Friday", "2026-04-17"),
            ("this Monday", "2026-04-06"),
            ("we freeze after next thursday", "we freeze after 2026-04-16"),
            ("next Wednesday", "2026-04-15"),
            ("from next Monday to Thursday", "from 2026-04-13 to 2026-04-16"),
            ("last Monday we shipped", "2026-04-06 we shipped"),
            ("last Friday", "2026-04-03"),
            ("Tuesday next week", "2026-04-14"),
            ("next week on Wednesday", "2026-04-15"),
            ("Monday of this week", "2026-04-06"),
            ("By Friday week we must be done", "By 2026-04-24 we must be done"),
            ("shut down a week from Friday.", "shut down on 2026-04-24."),
        ],
    );
    check(date(2026, 4, 12), &[("next Monday", "2026-04-13"), ("this Monday", "2026-04-06")]);
    check(date(2026, 4, 13), &[("next Monday", "2026-04-20"), ("on Monday", "on 2026-04-20")]);
    check(date(2025, 12, 31), &[("next Friday", "2026-01-09"), ("on Friday", "on 2026-01-02")]);
}

#[test]
fn f4_weeks_months_quarters_years() {
    check(
        TODAY,
        &[
            ("Next week we start", "The week of 2026-04-13 we start"),
            ("it starts next week", "it starts in the week of 2026-04-13"),
            ("by next week", "by the week of 2026-04-13"),
            ("early next week", "early in the week of 2026-04-13"),
            ("earlier this week", "earlier in the week of 2026-04-06"),
            ("dropped last week", "dropped in the week of 2026-03-30"),
            ("the week after next", "the week of 2026-04-20"),
            ("this weekend", "the weekend of 2026-04-11"),
            ("frozen next month", "frozen in 2026-05"),
            ("since last month", "since 2026-03"),
            ("next quarter", "2026-Q3"),
            ("last quarter's mistake", "2026-Q1's mistake"),
            ("compare with last year's", "compare with 2025's"),
            ("no hiring this year", "no hiring in 2026"),
            ("in March", "in 2026-03"),
            ("must be done in March", "must be done in 2027-03"),
            ("on leave until september", "on leave until 2026-09"),
            ("retired in June", "retired in 2025-06"),
            ("since May", "since 2025-05"),
            ("from February to May", "from 2026-02 to 2026-05"),
            ("in June next year", "in 2027-06"),
            ("next June", "2026-06"),
            ("last October", "2025-10"),
            ("mid-June", "about 2026-06-15"),
            ("late June", "late 2026-06"),
            ("third week of April", "third week of 2026-04"),
            ("moved from May to October", "moved from 2026-05 to 2026-10"),
        ],
    );
    check(date(2026, 12, 30), &[("next month", "2027-01"), ("next week", "the week of 2027-01-04")]);
    check(date(2026, 1, 2), &[("last month", "2025-12"), ("last quarter", "2025-Q4")]);
}

#[test]
fn f4_counted_days_weeks_months() {
    check(
        TODAY,
        &[
            ("done in 3 days", "done on 2026-04-13"),
            ("she is done in two weeks, so wait", "she is done on 2026-04-24, so wait"),
            ("In a week it ends", "On 2026-04-17 it ends"),
            ("in two weeks' time", "on 2026-04-24"),
            ("firmware in about 5 weeks", "firmware about 2026-05-15"),
            ("two weeks ago", "2026-03-27"),
            ("changed 3 days ago", "changed on 2026-04-07"),
            ("a month ago", "2026-03"),
            ("I picked up R two years ago", "I picked up R in 2024"),
            ("a couple of days ago", "about 2026-04-08"),
            ("a few days ago", "a few days before 2026-04-10"),
            ("two weeks from now", "2026-04-24"),
            ("a week from tomorrow", "2026-04-18"),
            ("goes live in 2 months", "goes live in 2026-06"),
        ],
    );
    check(date(2024, 2, 28), &[("in 2 days", "on 2024-03-01"), ("tomorrow", "2024-02-29")]);
    check(date(2025, 12, 30), &[("in 3 days", "on 2026-01-02")]);
}

#[test]
fn f4_edges_of_periods() {
    check(
        TODAY,
        &[
            ("by the end of the week", "by 2026-04-10"),
            ("until the end of next week", "until 2026-04-17"),
            ("leaving at the end of the month", "leaving on 2026-04-30"),
            ("by end of month", "by 2026-04-30"),
            ("at the end of next month", "on 2026-05-31"),
            ("by end of quarter", "by 2026-06-30"),
            ("until the end of Q2", "until 2026-06-30"),
            ("until end of march", "until 2027-03-31"),
            ("till end of August", "till 2026-08-31"),
            ("by year end", "by 2026-12-31"),
            ("before the end of the year", "before 2026-12-31"),
            ("by end of day", "by 2026-04-10"),
            ("by EOD", "by 2026-04-10"),
            ("by EOW", "by 2026-04-10"),
            ("needed by EOM", "needed by 2026-04-30"),
            ("start of next week", "2026-04-13"),
            ("beginning of May", "2026-05-01"),
        ],
    );
    check(date(2026, 1, 30), &[("fixed by end of february or else", "fixed by 2026-02-28 or else")]);
    check(date(2028, 2, 1), &[("end of the month", "2028-02-29")]);
}

#[test]
fn f4_days_without_a_year() {
    check(
        TODAY,
        &[
            ("finished by june 15", "finished by 2026-06-15"),
            ("June 5th", "2026-06-05"),
            ("due 30 June", "due on 2026-06-30"),
            ("on the 31st of march because", "on 2026-03-31 because"),
            ("must end on the 31st of march", "must end on 2027-03-31"),
            ("availability is may 11.", "availability is on 2026-05-11."),
            ("shipped on 14 September", "shipped on 2025-09-14"),
            ("On 3 August playback died", "On 2025-08-03 playback died"),
            ("from Dec 15 till Jan 3", "from 2026-12-15 till 2027-01-03"),
            ("audit 9 to 20 June", "audit from 2026-06-09 to 2026-06-20"),
            ("audit June 9-20", "audit from 2026-06-09 to 2026-06-20"),
            ("on 24 and 25 June", "on 2026-06-24 and 2026-06-25"),
            ("on Thursday, 16 April", "on Thursday, 2026-04-16"),
            ("the 25th May holiday", "the 2026-05-25 holiday"),
            ("slipped to the 14th of next month", "slipped to 2026-05-14"),
            ("the sprint ends on the 24th, then", "the sprint ends on 2026-04-24, then"),
            ("we meet on the 9th", "we meet on 2026-05-09"),
            ("it started on the 1st", "it started on 2026-04-01"),
            ("runs from the 5th to the 16th", "runs from 2026-04-05 to 2026-04-16"),
            ("on the 24th and 25th, read-only", "on 2026-04-24 and 2026-04-25, read-only"),
            ("QA found a bug. 28th now", "QA found a bug. 2026-04-28 now"),
            ("on 14 November, rehearsal on the 7th", "on 2026-11-14, rehearsal on 2026-11-07"),
            ("release 2026-06-21, freeze from the 14th", "release 2026-06-21, freeze from 2026-06-14"),
        ],
    );
    check(date(2026, 12, 28), &[("on January 4", "on 2027-01-04"), ("by the 3rd", "by 2027-01-03")]);
    check(date(2026, 3, 1), &[("on February 29 we meet again", "on 2028-02-29 we meet again")]);
}

#[test]
fn f4_durations_and_habits_stay() {
    untouched(&[
        "two weeks of hardening",
        "every Friday",
        "each month, weekly, within 30 days",
        "No deploys on Fridays.",
        "Never deploy on Friday",
        "no deploys on a Friday",
        "Friday deploys are fine",
        "ops builds indexes on Sunday nights",
        "releases leave every other Wednesday",
        "CAB meets Tuesday and Thursday 16:00",
        "normal releases Monday to Wednesday",
        "the last Friday of the month",
        "the first Tuesday of each quarter",
        "branch cut the Thursday before at noon",
        "the last two weeks",
        "over the last week, over the next month",
        "the last week of each month",
        "we wrote it in two weeks",
        "done in two weeks of work",
        "delivery lasts three weeks",
        "the numbers go out on the 1st of each month",
        "collection on the 1st and 15th",
        "our fiscal year starts in February",
        "at the end of each month",
        "at the end of the day it works",
        "User does not work on Fridays; hand-offs are done on Thursday",
        "next time, next step, last run, the next one",
        "two weeks later, 3 days before launch",
    ]);
}

#[test]
fn f4_regular_work_stays_on_its_weekday() {
    untouched(&[
        "Releases are cut on Thursday",
        "Releases are cut on Thursday and deployed on Friday.",
        "releases are cut from main on Thursday by whoever is on call",
        "Releases go out on Tuesday, after the stand-up",
        "Hotfix releases ship Thursday",
        "Production deploys happen on Tuesday at 10:00",
        "Releases to production should go out on Thursday, never later",
        "Stand-ups are on Monday because half the team is remote",
        "Our releases are tagged on Wednesday",
        "We cut releases on Thursday",
        "we do code reviews on Friday",
        "The tree is frozen 2026-05-01. Backups are taken on Sunday",
    ]);
}

#[test]
fn f4_one_day_of_regular_work_is_a_date() {
    check(
        TODAY,
        &[
            ("The freeze starts on Thursday", "The freeze starts on 2026-04-16"),
            ("Releases are frozen on Thursday", "Releases are frozen on 2026-04-16"),
            ("Deploys stop on Thursday", "Deploys stop on 2026-04-16"),
            ("Releases are cut by Thursday", "Releases are cut by 2026-04-16"),
            ("The releases are cut on Thursday", "The releases are cut on 2026-04-16"),
            ("Both releases are cut on Thursday", "Both releases are cut on 2026-04-16"),
            ("Two releases are cut on Thursday", "Two releases are cut on 2026-04-16"),
            ("Releases will go out on Thursday", "Releases will go out on 2026-04-16"),
            ("Releases went out on Thursday", "Releases went out on 2026-04-09"),
            ("Reviews were done on Thursday", "Reviews were done on 2026-04-09"),
            ("we shipped updates on Thursday", "we shipped updates on 2026-04-09"),
            ("we must ship updates on Thursday", "we must ship updates on 2026-04-16"),
            ("the release is cut on Thursday", "the release is cut on 2026-04-16"),
            ("Customers are told on Thursday", "Customers are told on 2026-04-16"),
            ("Releases are cut next Friday", "Releases are cut on 2026-04-17"),
            (
                "Releases are cut on Thursday, but the freeze starts on Friday",
                "Releases are cut on Thursday, but the freeze starts on 2026-04-17",
            ),
        ],
    );
}

#[test]
fn f4_absolute_dates_and_quarters_stay() {
    untouched(&[
        "2026-04-10",
        "June 5, 2026",
        "5 June 2026",
        "in March 2027",
        "the end of May 2027",
        "until the end of 2026",
        "Q3 stays Q3",
        "Monday 2026-04-13",
        "2026-04-02 (a Thursday)",
        "the week of 2026-04-13",
        "3-4 December 2026",
    ]);
}

#[test]
fn f4_code_names_and_identifiers_stay() {
    untouched(&[
        "`today.rs`",
        "see yesterday_report and logs/today",
        "USA TODAY",
        "today.rs tomorrow() next_week nextFriday",
        "run --day yesterday",
        "```\ntomorrow\n```",
        "https://x.example/today/next-week",
        "[notes](next week.md) and [[last-friday]]",
        "the \"Flaky-Friday\" board",
        "Black Friday, Cyber Monday, Patch Tuesday",
        "the 5th attempt, the 95th percentile, every 256th byte",
        "it may fail, 5 may fail",
        "the June release and the August shutdown",
        "1.9 days, 3.5 weeks",
        "April, June and August are colleagues",
        "he sat in the sun",
    ]);
}
