//! The words and phrases that tell a type, each with its weight.
//!
//! Data only. Never read by anything but the guess.

use memdir_core::kind::Type;

/// Signs of a type in lower-case text whose marks are blanks; each counts once.
///
/// The weights were fitted to labelled memories and remarks, and rounded.
pub(super) struct Cues {
    pub(super) kind: Type,
    /// What the type is worth before anything is said.
    pub(super) weight: i32,
    /// Where a line begins: the weight, and the cues that have it, between bars.
    pub(super) opening: &'static [(i32, &'static str)],
    /// Anywhere in the text.
    pub(super) inside: &'static [(i32, &'static str)],
}

pub(super) const CUES: &[Cues] = &[
    Cues {
        kind: Type::User,
        weight: 0,
        opening: &[
            (12, "wants |我|user |likes |works "),
            (11, "i've |red-green |reads "),
            (10, "i'm |my |本人|uses "),
            (9, "hobbyist|student"),
            (8, "new to |call me |junior "),
            (7, "im |prefers |speaks |contractor|big fan "),
            (6, "i |little "),
            (5, "the user |knows "),
            (4, "i am |fluent |leads |用户|self taught |writes |retired "),
        ],
        inside: &[
            (12, " prefers | phd|解释| yrs| self taught| learning | vim |出身| new to | native "),
            (11, " i'm |不熟| i've "),
            (10, " my | i |讲"),
            (9, " years of | editor |我是| her |很熟"),
            (8, " me | explain| works from | dev | background | dyslexi| neovim| i am "),
            (7, " user | apprentice| lead at | fan of "),
            (6, " engineer| his | kids "),
            (5, "我负责| my role| years |不懂| i was | analog| senior "),
            (4, " years as | time zone | timezone | color blind | beginner| knows |我的|时区"),
            (4, "新手| intern | is away |熟悉|背景"),
            (3, " offline "),
            (2, " screen reader"),
            (1, " colour blind | myself | off on "),
        ],
    },
    Cues {
        kind: Type::Feedback,
        weight: 4,
        opening: &[
            (12, "leave |any "),
            (11, "do "),
            (10, "do not |show |check |skip |commit|改"),
            (9, "stop |keep |every |when |treat |queries |write "),
            (8, "from now on |wrap |别|use |nothing |split |quit |drop |pin |return |tests "),
            (8, "migrations |给"),
            (7, "以后|tidy |for anything |fewer |shorter |不要|prefer |each |put |new |cite |少"),
            (7, "before |functions |提交|代码"),
            (6, "revert |squash |no |ask |group |stage |don't |at most |lead with |one |注释"),
            (6, "所有|先|in c "),
            (5, "不许|whenever |spare |name |never |if |统一|每个|写"),
            (4, "dont |禁止|一律|declare |let |throw |include |compare |less |exactly |run "),
            (4, "断言|每次|more "),
            (3, "test |add |log |不"),
            (2, "必须|only |answer |always |list "),
            (1, "回复|avoid |anything "),
        ],
        inside: &[
            (12, " are named | banned |不许"),
            (10, " instead of | right call | worth it |默认| everywhere "),
            (9, " that's how |否则| unless | refused | forbidden | belongs in |不要|一律|统一"),
            (8, " tell me | like that |别"),
            (7, "不用| beats | belong in | goes in |禁止| whenever "),
            (6, " never | don't | only in | before you | show me | go in |以后"),
            (5, " ask |先| tests | commit | every time | please | you |必须"),
            (4, "以后都|不准| always | rather than | without | use | stop | first | each time "),
            (4, " never again|要写"),
            (3, " or | anything | no | rejected | otherwise | any | keep "),
            (2, " prefer | not | should | ask me |不能"),
            (1, " must | by hand "),
        ],
    },
    Cues {
        kind: Type::Project,
        weight: 5,
        opening: &[
            (8, "we "),
            (7, "since |从"),
            (6, "we're "),
            (5, "from |the |two "),
            (4, "until |our |版本"),
            (2, "客户"),
            (1, "on "),
        ],
        inside: &[
            (12, " february| july|要求| replaced "),
            (11, " march|月| december| law |换成|预算"),
            (10, " freeze| decided | ends | june| august| november|年底| switched "),
            (9, " until | january|合同| summer| autumn|归"),
            (8, " promised | april| still | since | signed | postponed| leaves "),
            (7, " percent | budget | will | pilot| october| months|迁"),
            (6, " moved | moves | september|封版|停|已"),
            (5, " weeks| due | audit| spring"),
            (4, " contract| runs | were | gone | after | go-live| dropped | stays |上线|决定"),
            (4, "下线"),
            (3, " launch| was | owns | vendor| now |版"),
            (2, " customer| quarter| outage| ships |客户"),
            (1, " regulator| rollout| owner "),
        ],
    },
    Cues {
        kind: Type::Reference,
        weight: 1,
        opening: &[
            (10, "mcp__"),
            (8, "runbook"),
            (7, "see |staging "),
            (6, "wiki|日志"),
            (4, "http|mcp |docs|credentials |look in |接口"),
            (3, "grafana|dashboard"),
            (1, "channel |文档"),
        ],
        inside: &[
            (12, ".example|.internal| sharepoint| docs/| forum | #| workspace| go/"),
            (11, " confluence| repo | opsgenie| intranet|.io | credentials"),
            (10, " grafana| wiki| are in |.md | kibana| runbook|.xlsx|禅道"),
            (9, "://| figma| sheet|网盘|目录|.com| form | asana"),
            (8, " notion | vault| sentry| list of | lokalise| stack | jira|.lan | uploaded to "),
            (7, " airtable| spreadsheet| lives in | takes | trello| miro |看板|在| linear "),
            (7, " portal| is in | kept in | named | view |后台|找| password| vpn "),
            (6, " sandbox|地址| slack| index | mailbox| nas |账号"),
            (5, "文档在| tracked in | zendesk| folder| status page| archive|飞书| dashboard"),
            (5, " pagerduty| contact| host | published |文档|平台|钉钉"),
            (4, "语雀|知识库| live in | bucket| project key | called | board | list is "),
            (4, " described in | documented | where | tab "),
            (3, " queue | template| page | uid "),
            (2, " download|群"),
            (1, " ssh | docs |.yaml | rota"),
        ],
    },
];
