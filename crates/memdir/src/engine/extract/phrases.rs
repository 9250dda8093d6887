//! The phrases behind the cues, in English and Chinese, between bars; a star ends the beginning of a word.
//!
//! Data only. Each table is one sense; what a sense means for memory is for the judge.

/// Phrases of one sense, for [`Spoken::says`](memdir_reader::spoken::Spoken::says).
type Phrases = &'static str;

/// It holds from now on.
pub(super) const DURABLE: Phrases = "always|never|ever|from now on|from here on|going forward|in future|in the future|in general|\
     generally|by default|every time|each time|every other time|whenever|any time|next time|as a rule|anymore|any more|\
     permanently|for all|for every|in all|everywhere|for anything|until further notice|keep doing|like that again|\
     以后|今后|之后都|往后|从现在起|从今|每次|每回|一律|统一|永远|都要|都得|默认|凡是|所有的|再也|下次|一直|都用|都别|都不要";

/// The same, so plainly that nothing else needs to speak for it.
pub(super) const ORDAINED: Phrases = "from now on|from here on|going forward|in future|以后|今后|从现在起|往后都|下次";

/// Something that was written, not somebody, is said to say it.
pub(super) const HEARSAY: Phrases = "page says|site says|website says|readme says|docs say|doc says|documentation says|article says|blog says|\
     post says|answer says|ticket says|issue says|comment says|log says|logs say|error says|output says|tool says|linter says|\
     compiler says|changelog says|tutorial says|ci says|it says|says to|says that|overflow says|chatgpt says|copilot says|page claims|docs claim|\
     used to say|used to tell|the saying goes|as they say|people say|they say|some say|somebody said|someone said|rumour has it|rumor has it|\
     documentation says|manual says|guide says|standard says|spec says|page recommends|docs recommend|readme recommends|article recommends|warning says|message says|banner says|chatgpt said|copilot suggested|\
     常说|老话说|俗话说|有人说|听说|据说|手册说|规范说|网页说|文档说|文章说|报错说|提示说|日志说|写着|群里发|原话|转过来";

/// It holds for what is being done, and no longer.
pub(super) const EPHEMERAL: Phrases = "for now|for the moment|right now|at the moment|this time|just this once|only this once|this once|\
     for today|just for today|today only|only today|for this session|in this session|this session|for this one|just this one|\
     in this one|for this pr|in this pr|on this pr|this pr|for this branch|on this branch|in this branch|in this commit|\
     for this commit|in this file|in this test|for this test|for this run|this run|for this task|for this change|\
     for this ticket|in this ticket|here only|only here|in a minute|in a sec|give me a|wait for me|hold off|for a moment|\
     for the time being|temporarily|until i'm back|until i am back|till i'm back|while i|be right back|brb|\
     i'm in a meeting|i am in a meeting|in a meeting till|in a meeting until|on a call right|i'm on a call|i'm at lunch|afk|away from my desk|\
     stepping out|on the train|tonight|this afternoon|this morning|我在开会|先去开会|我在路上|先去吃饭|今天先|今天就|先这样|暂时|这次|这回|这一次|本次|这个 pr|这个pr|当前分支|目前先|先别动|先不动|\
     等一下|等会|稍等|等我|一会儿|待会|就这一次|今晚";

/// It is not decided, or not so.
pub(super) const DOUBTFUL: Phrases = "might|not decided|undecided|not sure|unsure|no idea yet|thinking about|thinking of|\
     thinking aloud|thinking out loud|considering|what if|if we were|if we had|if i were|if i had|would be nice|could be nice|\
     wondering|wonder if|let's see|still open|not final|tbd|to be decided|we'll see|haven't decided|have not decided|\
     if we ever|if i ever|if they ever|would probably|we'd probably|i'd probably|would need to|suppose we|supposing|assuming we|were we to|\
     imagine we|in an ideal world|some time in the future|far away|far off|hypothetically|in theory|one day we|someday|some day|i guess|brainstorm*|playing with the idea|toying with|\
     可能会|也许|或许|还没定|没定|没想好|没决定|还没决定|在考虑|考虑一下|要不要|要是|假如|再说吧|再看看|说不定|如果哪天|万一哪天|假设|真要|以后再说|先放着|还不确定|不太确定|随口|想想而已";

/// The opposite is meant.
pub(super) const SARCASTIC: Phrases = "oh great|oh wonderful|oh lovely|oh nice|oh joy|oh fantastic|oh brilliant|just great|just lovely|just wonderful|\
     just what i needed|just what we needed|exactly what i needed|exactly what we needed|what i always wanted|what we always wanted|\
     always wanted that|how nice of|thanks a lot for breaking|yeah right|sure because|because that worked so well|what could go wrong|\
     yet another|可真行|真行啊|真棒啊|太棒了又|呵呵|好家伙|谢谢你啊|又来一个";

/// What was said before does not count.
pub(super) const RETRACTED: Phrases = "thinking aloud|thinking out loud|never mind|nevermind|nvm|scratch that|ignore that|forget i said|\
     ignore what i said|just kidding|jk|was joking|just joking|only joking|disregard that|strike that|my mistake|\
     i was wrong|i misread|算了|当我没说|开玩笑|随口一说|说错了|搞错了|记错了";

/// It tells how to work.
pub(super) const NORMATIVE: Phrases = "never|always|don't|dont|do not|must|mustn't|should|shouldn't|stop|avoid|prefer*|please|only|no more|\
     instead of|rather than|not allowed|forbidden|banned|want|wants|need to|have to|has to|ask me|ask first|let me|tell me|\
     show me|make sure|keep|leave|use|i'd like|i would like|i like|i'd rather|i hate|quit|refrain|no need|do it like that|\
     belongs|belong|goes in|go in|go to|goes to|goes through|go through|may change|can't|cannot|at most|at least|max|\
     不要|别|必须|禁止|不能|不许|不准|先|统一|一律|只能|只|要|请|用|应该|不用|勿|得";

/// A rule begins with a word like these: a thing to do.
pub(super) const IMPERATIVE: Phrases = "use|put|write|keep|leave|run|ask|show|tell|give|start|make|do|add|remove|read|check|commit|push|pin|\
     split|name|call|log|return|wrap|sort|group|list|answer|explain|skip|cite|include|format|test|mock|deploy|merge|review|\
     treat|prefer|avoid|stop|quit|drop|try|pick|propose|suggest|format|document|comment|spell|name|store|save|send|open|close|\
     no|not|don't|dont|never|always|only|please|just|let|less|more|fewer|shorter|plain|one|each|every|any|no more";

/// It gives a reason.
pub(super) const REASON: Phrases = "because|since|so that|due to|otherwise|the reason|reason is|that's why|that is why|hence|therefore|\
     after the|last time|last quarter|last week|last month|last year|last release|last sprint|as it|so i|so we|so the|\
     因为|由于|所以|否则|不然|原因|上次|之前|导致|结果";

/// It is about the person who speaks.
pub(super) const SELF: Phrases = "i'm|im|i am|i was|i've|i have been|i work|i come from|i know|i don't know|i dont know|i use|i own|i lead|\
     i run|i maintain|i manage|i studied|i did my|my background|my role|my job|my day job|my team|my first|my main|my native|\
     i'm the|as a|i never|i usually|i mostly|i only know|new to|i speak|i read|i teach|i learned|i learnt|i joined|by training|\
     i've never|i have never|i have a|i do most|i live|\
     我是|我叫|我负责|我主要|我习惯|我平时|我只会|我不懂|我不熟|我熟|我做|我在|我之前|我以前|我刚|本人|我的背景|我们组做|出身";

/// Who the person is, what they know, what they need.
pub(super) const IDENTITY: Phrases = "i'm a|i'm an|i'm the|i am a|i am an|i am the|im a|im an|i was a|i was an|i've been|i have been|i use a|i own|i lead|\
     i'm new|i am new|i'm not a|i am not a|i'm blind|i'm deaf|i'm dyslexic|i'm color*|i'm colour*|my background|my role|my job|\
     years|i know|i don't know|i never learned|i've never|new to|i studied|i only know|i joined|joined the|i work|native|\
     screen reader|braille|by training|我是|我负责|我不懂|我不熟|我只会|我刚|出身|我主要|很熟|不熟|我在";

/// Something is no longer what it was.
pub(super) const CHANGED: Phrases = "now|moved|moves|move|changed|changes|renamed|replaced|replaces|switched|instead of|no longer|not any more|\
     not anymore|anymore|slipped|postponed|delayed|pushed back|pushed to|brought forward|moved to|took over|takes over|\
     taking over|is called|migrated|is gone|are gone|dropped|retired|deprecated|extended|shifted|rescheduled|cancelled|canceled|\
     from now on|new|updated|update|correction|actually|raised|lowered|increased|decreased|went up|went down|is back|\
     改成|改为|换成|换到|换了|搬到|迁到|推迟|提前|延期|不再|不是|现在|取消|改名|接手|接管|调整|改到|变成|升到|降到|更新|作废|新的";

/// A choice was approved.
pub(super) const APPROVED: Phrases = "right call|good call|right choice|good choice|exactly how|exactly what i|that's how|that is how|\
     the way i like|keep doing|keep it like|do it like that|worth it|spot on|that's right|was right|belongs in|right move|\
     就这样|就这个|这个习惯|正是|就该|保持|就按这";

/// Why something is as it is.
pub(super) const DELIBERATE: Phrases = "deliberate*|on purpose|intentional*|by design|for a reason|historical reasons|there's a reason|\
     there is a reason|that's because|故意|特意|有意|专门|历史原因";

/// A small answer that carries nothing.
pub(super) const ACKNOWLEDGED: Phrases = "ok|okay|k|yes|yep|yeah|yup|no|nope|thanks|thank you|thx|ty|cool|great|good|nice|perfect|fine|right|\
     sure|works|done|exactly|correct|hm|hmm|ah|oh|wow|wait|hold on|stop|too much|makes sense|got it|i see|understood|much better|\
     that helps|looks good|good to know|nice to know|interesting|fair enough|thought so|lgtm|go|go on|go ahead|hi|hello|hey|well|alright|so|agreed|ok good|ok thx|not quite|hang on|\
     好|好的|嗯|行|可以|对|不用|不是|谢谢|辛苦了|懂了|明白|没事|不对|等等|是的|没错|收到|不错|很好";

/// A thing to be done now: what a request opens with.
pub(super) const TASK: Phrases = "summarise|summarize|explain|implement|describe|generate|refactor|fix|add|create|rename|check|find|run|rerun|\
     re-run|update|look|open|translate|deploy|move|merge|rebase|revert|restart|compare|draft|investigate|debug|profile|build|\
     install|bump|walk me|tell me|let me explain|let me show|let me tell|show me|give me|list|convert|extract|remove|delete|commit|\
     push|send|undo|redo|retry|try|change|replace|turn|switch|go|continue|proceed|finish|pick|review|search|grep|print|approve|\
     request|write a|write an|write the|write me|write some|make a|make an|make the|make me|put the|put a|set the|set a|start the|\
     can you|could you|would you|will you|let's|lets|reindex|regenerate|format|帮我|看下|看一下|查一下|跑一下|改一下|写个|写一个|\
     加一个|加个|把|给我看|继续";

/// Something does not work; that is what the work is about.
pub(super) const MALFUNCTION: Phrases = "there is a bug|there's a bug|is broken|are broken|fails|failing|crashes|crashing|doesn't work|does not work|\
     not working|isn't working|returns nothing|throws|times out|timed out|is slow|look off|looks off|looks wrong|is missing|\
     are dropped|is dropped|won't start|won't build|can't connect|报错|挂了|崩了|不工作|有问题|有个 bug|有bug|卡住|超时|起不来";

/// Nobody has written it down: exactly what memory is for.
pub(super) const UNWRITTEN: Phrases = "written nowhere|nowhere written|not written down|isn't written down|undocumented|not documented|\
     isn't documented|not in the docs|docs are wrong|tribal knowledge|nobody wrote|never wrote|everybody knows|everyone knows|\
     not in the repo|isn't in the repo|not obvious from|took me an hour|took us|没写文档|文档里没有|没有文档|大家都知道|口口相传";

/// The assistant did something that was not wanted.
pub(super) const COMPLAINT: Phrases = "did you|why did you|you just|you keep|you always|you went|you deployed|you pushed|you deleted|you changed|\
     you killed|you ran|you wiped|you removed|you committed|you merged|i told you|who told you|not what i|you again|谁让你|你怎么|你又|\
     上次你|你直接|你把";

/// The assistant takes it as a rule for later.
pub(super) const PROMISED: Phrases = "from now on|i will always|i'll always|in future|in the future|going forward|next time|won't do that again|\
     not do that again|will not happen again|won't happen again|i will keep to|以后都|以后会|以后不|以后先|今后|下次会|以后保持|以后按";

/// The assistant says that something else keeps it already.
pub(super) const KEPT_ELSEWHERE: Phrases = "enforces this|enforces that|enforced by|already in the|is already in|already documented|is documented in|\
     are documented in|in claude.md|in agents.md|in the readme|in contributing|in the dockerfile|in your commit|in the commit|so it is documented|\
     the code shows|i can see that in|i see that in the|lint rule|in the config already|i can list|i can look that up|rather query|\
     代码里已经|文档里已经|已经在文档";
