//! English, rule by rule.

use jiff::civil::date;

use super::{TODAY, check, untouched};

#[test]
fn f4_days_near_today() {
    check(
        TODAY,
        &[
            ("we ship today", "we ship today (2026-04-10)"),
            ("Today we ship", "Today (2026-04-10) we ship"),
            ("as of today", "as of today (2026-04-10)"),
            ("Tomorrow: demo", "Tomorrow (2026-04-11): demo"),
            ("starts tmrw", "starts tmrw (2026-04-11)"),
            ("the demo is the day after tomorrow at 14:00", "the demo is the day after tomorrow (2026-04-12) at 14:00"),
            ("broken since the day before yesterday", "broken since the day before yesterday (2026-04-08)"),
            ("Yesterday's outage was the cert", "Yesterday's (2026-04-09) outage was the cert"),
            ("third try goes out tonight", "third try goes out tonight (2026-04-10)"),
            ("decided this morning", "decided this morning (2026-04-10)"),
            ("the job failed last night", "the job failed last night (2026-04-09)"),
            ("down since last night", "down since last night (2026-04-09)"),
            ("it is **tomorrow**", "it is **tomorrow (2026-04-11)**"),
            (
                "from tomorrow noon until monday morning",
                "from tomorrow (2026-04-11) noon until monday (2026-04-13) morning",
            ),
        ],
    );
}

#[test]
fn f4_weekdays_alone_follow_the_tense() {
    check(
        TODAY,
        &[
            ("we meet on Thursday", "we meet on Thursday"),
            ("by Friday we must ship", "by Friday (2026-04-17) we must ship"),
            ("keep 18 until friday, then drop it", "keep 18 until friday (2026-04-17), then drop it"),
            ("moved to Tuesday", "moved to Tuesday (2026-04-14)"),
            ("The new hire starts Monday.", "The new hire starts Monday (2026-04-13)."),
            ("ends Sunday at midnight", "ends Sunday (2026-04-12) at midnight"),
            ("due fri", "due fri (2026-04-17)"),
            ("by EOD Wed", "by EOD Wed (2026-04-15)"),
            ("we lost data on Monday", "we lost data on Monday (2026-04-06)"),
            ("joined the team on monday as an analyst", "joined the team on monday (2026-04-06) as an analyst"),
            (
                "staging was wiped on Monday and won't be back",
                "staging was wiped on Monday (2026-04-06) and won't be back",
            ),
            ("On Monday, staging was wiped", "On Monday (2026-04-06), staging was wiped"),
            ("we promised a demo on Friday", "we promised a demo on Friday (2026-04-17)"),
            ("read-only since Wednesday", "read-only since Wednesday (2026-04-08)"),
            ("it gets switched off on Friday", "it gets switched off on Friday (2026-04-17)"),
            ("Wednesday's board meeting decides", "Wednesday's board meeting decides"),
            ("is serviced from Monday to Wednesday", "is serviced from Monday to Wednesday"),
            ("stays closed from Monday night until Wednesday", "stays closed from Monday night until Wednesday"),
            ("it broke on Friday", "it broke on Friday (2026-04-03)"),
        ],
    );
}

#[test]
fn f4_this_next_and_last_weekday() {
    check(
        TODAY,
        &[
            ("this Friday", "this Friday (2026-04-10)"),
            ("this coming Friday", "this coming Friday (2026-04-17)"),
            ("this Monday", "this Monday (2026-04-06)"),
            ("we freeze after next thursday", "we freeze after next thursday (2026-04-16)"),
            ("next Wednesday", "next Wednesday (2026-04-15)"),
            ("from next Monday to Thursday", "from next Monday (2026-04-13) to Thursday (2026-04-16)"),
            ("last Monday we shipped", "last Monday (2026-04-06) we shipped"),
            ("last Friday", "last Friday (2026-04-03)"),
            ("Tuesday next week", "Tuesday next week (2026-04-14)"),
            ("next week on Wednesday", "next week on Wednesday (2026-04-15)"),
            ("Monday of this week", "Monday of this week (2026-04-06)"),
            ("By Friday week we must be done", "By Friday week (2026-04-24) we must be done"),
            ("shut down a week from Friday.", "shut down a week from Friday (2026-04-24)."),
        ],
    );
    check(
        date(2026, 4, 12),
        &[("next Monday", "next Monday (2026-04-13)"), ("this Monday", "this Monday (2026-04-06)")],
    );
    check(date(2026, 4, 13), &[("next Monday", "next Monday (2026-04-20)"), ("on Monday", "on Monday")]);
    check(date(2025, 12, 31), &[("next Friday", "next Friday (2026-01-09)"), ("on Friday", "on Friday")]);
}

#[test]
fn f4_weeks_months_quarters_years() {
    check(
        TODAY,
        &[
            ("Next week we start", "Next week (2026-04-13 – 2026-04-19) we start"),
            ("it starts next week", "it starts next week (2026-04-13 – 2026-04-19)"),
            ("by next week", "by next week (2026-04-13 – 2026-04-19)"),
            ("early next week", "early next week (2026-04-13 – 2026-04-19)"),
            ("earlier this week", "earlier this week (2026-04-06 – 2026-04-12)"),
            ("dropped last week", "dropped last week (2026-03-30 – 2026-04-05)"),
            ("the week after next", "the week after next (2026-04-20 – 2026-04-26)"),
            ("this weekend", "this weekend (2026-04-11 – 2026-04-12)"),
            ("frozen next month", "frozen next month (2026-05)"),
            ("since last month", "since last month (2026-03)"),
            ("next quarter", "next quarter (2026-Q3)"),
            ("last quarter's mistake", "last quarter's (2026-Q1) mistake"),
            ("compare with last year's", "compare with last year's (2025)"),
            ("no hiring this year", "no hiring this year (2026)"),
            ("in March", "in March"),
            ("must be done in March", "must be done in March (2027-03)"),
            ("on leave until september", "on leave until september (2026-09)"),
            ("retired in June", "retired in June (2025-06)"),
            ("since May", "since May (2025-05)"),
            ("from February to May", "from February to May"),
            ("in June next year", "in June next year (2027-06)"),
            ("next June", "next June (2026-06)"),
            ("last October", "last October (2025-10)"),
            ("mid-June", "mid-June (~2026-06-15)"),
            ("late June", "late June (2026-06)"),
            ("third week of April", "third week of April"),
            ("moved from May to October", "moved from May (2026-05) to October (2026-10)"),
        ],
    );
    check(
        date(2026, 12, 30),
        &[("next month", "next month (2027-01)"), ("next week", "next week (2027-01-04 – 2027-01-10)")],
    );
    check(date(2026, 1, 2), &[("last month", "last month (2025-12)"), ("last quarter", "last quarter (2025-Q4)")]);
}

#[test]
fn f4_counted_days_weeks_months() {
    check(
        TODAY,
        &[
            ("done in 3 days", "done in 3 days (2026-04-13)"),
            ("she is done in two weeks, so wait", "she is done in two weeks (2026-04-24), so wait"),
            ("In a week it ends", "In a week (2026-04-17) it ends"),
            ("in two weeks' time", "in two weeks' time (2026-04-24)"),
            ("firmware in about 5 weeks", "firmware in about 5 weeks (~2026-05-15)"),
            ("two weeks ago", "two weeks ago (2026-03-27)"),
            ("changed 3 days ago", "changed 3 days ago (2026-04-07)"),
            ("a month ago", "a month ago (2026-03)"),
            ("I picked up R two years ago", "I picked up R two years ago (2024)"),
            ("a couple of days ago", "a couple of days ago (~2026-04-08)"),
            ("a few days ago", "a few days ago"),
            ("two weeks from now", "two weeks from now (2026-04-24)"),
            ("a week from tomorrow", "a week from tomorrow (2026-04-18)"),
            ("goes live in 2 months", "goes live in 2 months (2026-06)"),
        ],
    );
    check(date(2024, 2, 28), &[("in 2 days", "in 2 days (2024-03-01)"), ("tomorrow", "tomorrow (2024-02-29)")]);
    check(date(2025, 12, 30), &[("in 3 days", "in 3 days (2026-01-02)")]);
}

#[test]
fn f4_edges_of_periods() {
    check(
        TODAY,
        &[
            ("by the end of the week", "by the end of the week (2026-04-10)"),
            ("until the end of next week", "until the end of next week (2026-04-17)"),
            ("leaving at the end of the month", "leaving at the end of the month (2026-04-30)"),
            ("by end of month", "by end of month (2026-04-30)"),
            ("at the end of next month", "at the end of next month (2026-05-31)"),
            ("by end of quarter", "by end of quarter (2026-06-30)"),
            ("until the end of Q2", "until the end of Q2 (2026-06-30)"),
            ("until end of march", "until end of march (2027-03-31)"),
            ("till end of August", "till end of August (2026-08-31)"),
            ("by year end", "by year end (2026-12-31)"),
            ("before the end of the year", "before the end of the year (2026-12-31)"),
            ("by end of day", "by end of day (2026-04-10)"),
            ("by EOD", "by EOD (2026-04-10)"),
            ("by EOW", "by EOW (2026-04-10)"),
            ("needed by EOM", "needed by EOM (2026-04-30)"),
            ("start of next week", "start of next week (2026-04-13)"),
            ("beginning of May", "beginning of May (2026-05-01)"),
        ],
    );
    check(date(2026, 1, 30), &[("fixed by end of february or else", "fixed by end of february (2026-02-28) or else")]);
    check(date(2028, 2, 1), &[("end of the month", "end of the month (2028-02-29)")]);
}

#[test]
fn f4_days_without_a_year() {
    check(
        TODAY,
        &[
            ("finished by june 15", "finished by june 15 (2026-06-15)"),
            ("June 5th", "June 5th (2026-06-05)"),
            ("due 30 June", "due 30 June (2026-06-30)"),
            ("on the 31st of march because", "on the 31st of march (2026-03-31) because"),
            ("must end on the 31st of march", "must end on the 31st of march (2027-03-31)"),
            ("availability is may 11.", "availability is may 11 (2026-05-11)."),
            ("shipped on 14 September", "shipped on 14 September (2025-09-14)"),
            ("On 3 August playback died", "On 3 August (2025-08-03) playback died"),
            ("from Dec 15 till Jan 3", "from Dec 15 (2026-12-15) till Jan 3 (2027-01-03)"),
            ("audit 9 to 20 June", "audit 9 to 20 June (2026-06-09 – 2026-06-20)"),
            ("audit June 9-20", "audit June 9-20 (2026-06-09 – 2026-06-20)"),
            ("on 24 and 25 June", "on 24 and 25 June (2026-06-24 – 2026-06-25)"),
            ("on Thursday, 16 April", "on Thursday, 16 April (2026-04-16)"),
            ("the 25th May holiday", "the 25th May (2026-05-25) holiday"),
            ("slipped to the 14th of next month", "slipped to the 14th of next month (2026-05-14)"),
            ("the sprint ends on the 24th, then", "the sprint ends on the 24th (2026-04-24), then"),
            ("we meet on the 9th", "we meet on the 9th"),
            ("it started on the 1st", "it started on the 1st (2026-04-01)"),
            ("runs from the 5th to the 16th", "runs from the 5th to the 16th"),
            ("on the 24th and 25th, read-only", "on the 24th and 25th, read-only"),
            ("QA found a bug. 28th now", "QA found a bug. 28th (2026-04-28) now"),
            ("on 14 November, rehearsal on the 7th", "on 14 November (2026-11-14), rehearsal on the 7th (2026-11-07)"),
            ("release 2026-06-21, freeze from the 14th", "release 2026-06-21, freeze from the 14th (2026-06-14)"),
        ],
    );
    check(
        date(2026, 12, 28),
        &[("on January 4", "on January 4 (2027-01-04)"), ("by the 3rd", "by the 3rd (2027-01-03)")],
    );
    check(date(2026, 3, 1), &[("on February 29 we meet again", "on February 29 (2028-02-29) we meet again")]);
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
            ("The freeze starts on Thursday", "The freeze starts on Thursday (2026-04-16)"),
            ("Releases are frozen on Thursday", "Releases are frozen on Thursday (2026-04-16)"),
            ("Deploys stop on Thursday", "Deploys stop on Thursday (2026-04-16)"),
            ("Releases are cut by Thursday", "Releases are cut by Thursday"),
            ("The releases are cut on Thursday", "The releases are cut on Thursday"),
            ("Both releases are cut on Thursday", "Both releases are cut on Thursday"),
            ("Two releases are cut on Thursday", "Two releases are cut on Thursday"),
            ("Releases will go out on Thursday", "Releases will go out on Thursday (2026-04-16)"),
            ("Releases went out on Thursday", "Releases went out on Thursday (2026-04-09)"),
            ("Reviews were done on Thursday", "Reviews were done on Thursday (2026-04-09)"),
            ("we shipped updates on Thursday", "we shipped updates on Thursday (2026-04-09)"),
            ("we must ship updates on Thursday", "we must ship updates on Thursday"),
            ("the release is cut on Thursday", "the release is cut on Thursday"),
            ("Customers are told on Thursday", "Customers are told on Thursday"),
            ("Releases are cut next Friday", "Releases are cut next Friday (2026-04-17)"),
            (
                "Releases are cut on Thursday, but the freeze starts on Friday",
                "Releases are cut on Thursday, but the freeze starts on Friday (2026-04-17)",
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

#[test]
fn f4_days_counted_from_a_day() {
    check(
        TODAY,
        &[
            ("Nadia is back a week on Tuesday.", "Nadia is back a week on Tuesday (2026-04-21)."),
            ("We present two Fridays from now.", "We present two Fridays from now (2026-04-24)."),
            ("The same crash happened three Mondays ago.", "The same crash happened three Mondays ago (2026-03-23)."),
            (
                "By this time next week it has to be rebuilt.",
                "By this time next week (2026-04-17) it has to be rebuilt.",
            ),
            (
                "The offsite is from the 5th to the 7th of June.",
                "The offsite is from the 5th to the 7th of June (2026-06-05 – 2026-06-07).",
            ),
            ("This is due tomorrow COB.", "This is due tomorrow (2026-04-11) COB."),
            (
                "We promised the customer a fix within ten days.",
                "We promised the customer a fix within ten days (2026-04-20).",
            ),
        ],
    );
    untouched(&["We sync twice a week on Monday.", "A customer gets a fix within ten days."]);
}

#[test]
fn f4_a_weekday_that_begins_or_ends_something_is_one_day() {
    check(
        TODAY,
        &[
            ("Since Monday the nightly build is slow.", "Since Monday (2026-04-06) the nightly build is slow."),
            ("Omar takes over the repo as of Monday.", "Omar takes over the repo as of Monday (2026-04-13)."),
            ("The customer expects it by noon on Monday.", "The customer expects it by noon on Monday (2026-04-13)."),
            (
                "The phones arrive on Monday, wait until then.",
                "The phones arrive on Monday (2026-04-13), wait until then.",
            ),
            ("On Sunday the disk filled up.", "On Sunday (2026-04-05) the disk filled up."),
            ("Let's revisit the cache in January.", "Let's revisit the cache in January (2027-01)."),
        ],
    );
    untouched(&[
        "When a release slips past Friday, it waits until Monday.",
        "Let's never deploy on Friday.",
        "Return null if yesterday is a holiday.",
        "This may take two weeks.",
        "A product called Friday, and a bot named Tomorrow.",
    ]);
}

#[test]
fn f4_more_ways_to_name_one_day() {
    check(
        TODAY,
        &[
            ("We switch providers on the first of July.", "We switch providers on the first of July (2026-07-01)."),
            ("We froze it the week before last.", "We froze it the week before last (2026-03-23 – 2026-03-29)."),
            ("Ship it no later than Wednesday.", "Ship it no later than Wednesday (2026-04-15)."),
            ("On Tuesday I'm meeting the bank.", "On Tuesday (2026-04-14) I'm meeting the bank."),
            ("Come Monday, the old endpoint is gone.", "Come Monday (2026-04-13), the old endpoint is gone."),
            ("They told us that v2 goes away in September.", "They told us that v2 goes away in September (2026-09)."),
        ],
    );
    untouched(&[
        "The first of many fixes.",
        "Leap years have a 29th of February.",
        "The second of the two may fail.",
        "I'm usually meeting them on Tuesday.",
    ]);
}
