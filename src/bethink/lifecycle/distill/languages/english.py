"""How statements are made in English."""

from __future__ import annotations

from bethink.lifecycle.distill.languages.furniture import Phrasebook

ADV = (
    r"(?:(?:really|always|usually|generally|normally|typically|mostly|mainly|primarily|often|never|rarely"
    r"|seldom|hardly|strongly|much|still|also|only|definitely|absolutely|just|currently|now|do|honestly"
    r"|personally|particularly|especially|quite|truly|simply|both|all|almost|nearly|sometimes|basically"
    r"|originally|actually|tend to|too) )*"
)
NUMBER = r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\d+|my own|no|some|several)"
FAMILY = (
    r"(?:wife|husband|partner|spouse|fianc[ée]e?|girlfriend|boyfriend|son|daughter|kids?|child|children|baby"
    r"|toddler|twins|mother|father|mum|mom|dad|parents|brothers?|sisters?|siblings|grandmother|grandfather"
    r"|grandma|grandpa|grandparents|aunt|uncle|cousin|in-laws|family|dogs?|cats?|pets?|puppy|kitten|horse)"
)
THING = (
    r"(?:birthday|anniversary|job|company|employer|team|office|hometown|home|house|apartment|flat|car|bike"
    r"|laptop|computer|phone|hobby|hobbies|stack|setup|editor|shell|os|time ?zone|pronouns|language|tongue"
    r"|blood type|size|diet|goal|schedule|shifts?|degree|background|passport|visa|licen[cs]e|membership"
    r"|status|repo|repository|codebase|project|startup|shop|business|commute|age|height|weight|api|backend"
    r"|frontend|database|server|servers|religion|profession|field|major|school|university|week|weekend"
    r"|pipeline|ci|service|app|product|policy|routine|medication|garden|kitchen)"
)
HEALTH = (
    r"(?:allerg\w+|\w*intoleran\w+|c(?:o)?eliac|diabet\w+|asthma\w*|epilep\w+|migraines?|dyslexi\w+|adhd"
    r"|autis\w+"
    r"|claustrophobi\w+|vertigo|wheelchair|pregnan\w+|arthritis|insulin|blood (?:thinners|pressure)"
    r"|colou?r[- ]?blind|hard of hearing|deaf|blind|pacemaker|hearing aids?|insomnia|anxiety|back (?:pain"
    r"|problems?)"
    r"|bad (?:back|knees?|hip|eyesight)|heart condition|sleep apn\w+|crutches|ibs|reflux|eczema)"
)
BODY = (
    r"(?:back|knees?|hips?|eyes|eyesight|hearing|stomach|heart|legs?|feet|shoulders?|wrists?|skin|ankles?"
    r"|neck)"
)
OWNED = (
    r"(?:dogs?|cats?|pets?|rabbits?|horses?|birds?|child(?:ren)?|kids?|sons?|daughters?|twins|toddlers?"
    r"|bab(?:y|ies)"
    r"|newborn|brothers?|sisters?|siblings?|grandchildren|car|bike|motorbike|boat|house|flat|apartment|garden"
    r"|balcony|visa|passport|licen[cs]e|green card|citizenship|membership|status|degree|phd|master'?s"
    r"|bachelor'?s"
    r"|mac|macbook|thinkpad|gpu|iphone|android|pixel|tattoos?|mortgage|company|startup|business|shop|wife"
    r"|husband"
    r"|partner|girlfriend|boyfriend|family|green thumb|sweet tooth|piano|guitar|tesla|van|camper|kindle|pass"
    r"|subscription|railcard|card|home office|background)"
)
OTHERS = (
    r"(?:boss|manager|colleagues?|co-?workers?|friends?|best friend|neighbou?rs?|clients?|customers?"
    r"|teachers?"
    r"|landlord|roommate|flatmate|teammates?|ex|supervisor|team lead|cto|ceo|professor|guests?|intern|buddy)"
)
PLACES = (
    r"(?:window|aisle|mountains?|sea|seaside|beach|outdoors|countryside|city|ocean|forest|quiet|cold|heat"
    r"|rain|snow|sun|mornings?"
    r"|night|theatre|theater|opera|cinema|gym|piano|guitar|command line|terminal|train|bus|subway)\b"
)
PASSING = (
    rf"(?! (?:(?:all )?the (?!{PLACES})|it\b(?! when)|this|that|these|those|them|you|your|yours|him|her"
    r"|how|what you|the (?:first|second|third"
    r"|fourth|last|latter|former|other|idea|ones?|look|sound|options?|way|result|new|blue|red|green"
    r"|sound)\b|one\b"
    r"|to (?:bother|say|ask|interrupt|admit|be that|break it|know|see (?:it|that|this))))"
)
ASKED = (
    r"(?:show|book|find|give|tell|send|make|create|write|draft|translate|summari[sz]e|explain|fix|add"
    r"|remove|delete"
    r"|update|change|cancel|reschedule|order|buy|check|compare|search|look|set|schedule|remind|list|open|play"
    r"|read|help|go|try|run|use|generate|convert|pick|choose|get|put|move|rename|refactor|review|suggest"
    r"|recommend"
    r"|plan|reserve|proofread|rewrite|calculate|turn|start|stop|continue|skip|ignore|let us|let me|please"
    r"|sort|pay"
    r"|paste|print|do|keep|bring|take|call|email|mail|ship|track|confirm|upgrade|install|deploy|test"
    r"|debug|format)"
)
ASKING = r"(?:can|could|would|will) (?:you|we)|what|which|where|is there|are there|do you|does|how|who|why"
DIRECTED = (
    r"use|write|answer|reply|respond|include|add|ask|suggest|recommend|book|send|show|give|put|call|start"
    r"|end|keep|format|check|prefer"
    r"|cite|explain|run|test|make|return|choose|pick|avoid|assume|tell|speak|address|provide|remind|quote"
    r"|translate|offer|mention|do"
    r"|convert|round|sort|list|begin|confirm|apologi[sz]e"
)
EMBEDDED = r"(?<!why )(?<!much )(?<!\bif )(?<!what )(?<!how )(?<!that )(?<!thing )(?<!place )(?<!part )"
ONCE = (
    r"(?:(?:just |only )?(?:for |on |in )?(?:this|the current) (?:time|trip|once|one|flight|booking|stay"
    r"|visit|session"
    r"|holiday|vacation|weekend|week|month|order|meal|dinner|lunch|conversation|chat|event|evening"
    r"|reservation|occasion|ride)(?: only| around)?"
    r"|(?<!from )(?<!as of )(?:just |only )?(?:for )?(?:today|tonight)(?: only)?"
    r"|(?:just |only )?(?:right now|for now)|for the time being|temporarily|just this once)"
)

BOOK = Phrasebook(
    code="en",
    contractions=(
        (r"\bcan(?:'t|not)\b", "can not"),
        (r"\bwon't\b", "will not"),
        (r"n't\b", " not"),
        (r"\b(i)'m\b", r"\1 am"),
        (r"\b(i|you|we|they)'ve\b", r"\1 have"),
        (r"\b(you|we|they)'re\b", r"\1 are"),
        (r"\b(i|you|we|they|he|she)'d\b", r"\1 would"),
        (r"\b(i|you|we|they|he|she|it)'ll\b", r"\1 will"),
        (r"\b(it|that|there|he|she|what|who|where|how)'s\b", r"\1 is"),
        (r"\blet's\b", "let us"),
        (r"\bim\b", "i am"),
        (r"\bdont\b", "do not"),
    ),
    cuts=(
        rf"(?:,|;| -| –|—)\s*(?:so |and |but )?(?=(?:{ASKING})\b[^.]*\?)",
        r";\s+",
        r",?\s+but (?=i\b(?!'d\b| would\b))",
        rf"(?<=\w),? (?=(?:so )?please (?:{ASKED})\b)",
        (
            r"(?: - |\s?[–—]\s?|,\s)(?=(?:it's|it is|it has|that's|it was) (?:so|been|really|pretty|just"
            r"|like|hard|always|amazing|such|my|a|an)\b)"
        ),
        (
            rf"^(?:please |can you |could you |will you |would you )?(?:{ASKED}|hi|hello"
            r"|thanks)\b[^,?]*(?P<cut>,)\s*(?:and |but |so )?"
            rf"(?=(?:i|i'm|i've|my|we|we're|our)\b)"
        ),
    ),
    fillers=(
        r"(?:(?:hey|hi|hello|thanks|thank you),? (?-i:[A-Z])[a-z]+|ok(?:ay)?|hi|hello|hey|hi there|hello "
        r"there|good (?:morning|evening|afternoon)|thanks(?: a lot| so much"
        r"| again)?|thank you(?: so much| very much)?|great|perfect|cool|nice|awesome|by the way|btw|fyi"
        r"|just so you know|so you know"
        r"|for the record|for your information|also|oh|ah|well|so|and|but|hmm+|um+|uh|honestly|to be "
        r"honest|tbh"
        r"|frankly|as (?:i said|i mentioned|you know|always)|(?:just )?to (?:clarify|be clear)|in case "
        r"it matters"
        r"|(?:one|another) (?:more )?thing|yes|yeah|yep|sure|right|you (?:should|might want to|need to) "
        r"know(?: that)?"
        r"|i (?:think|thought|guess) you should know(?: that)?|i(?: just)? want(?:ed)? (?:you )?to "
        r"(?:know|say|mention|add)(?: that)?"
        r"|i (?:should|must|have to) (?:say|mention|add|admit)(?: that)?|let me (?:tell you|add"
        r"|mention)(?: that)?|no thanks"
        r"|no thank you|in fact|the thing is|besides|plus|anyway|i mean|look|listen|unfortunately|sadly"
        r"|luckily)"
    ),
    openers=(
        r"(?:i|i'm|i've|i'd|im|my|we|we're|our|please|remember|note|keep in mind|that|do|don't|can|could"
        r"|also|by the way|just|no|not"
        r"|from now on|going forward|always|never|this|for|call me|you can|actually|it's|it is)\b"
    ),
    polite=r"(?:please|kindly)",
    tails=(
        r"(?:please|thanks(?: a lot)?|thank you|ok(?:ay)?|though|by the way|btw|just so you know|fyi|you "
        r"know|remember"
        r"|if that (?:helps|matters)|as you know|for the record)"
    ),
    revisions=(
        r"(?:actually|(?:no|nope|rather|wait|right|look)(?=\s*[,.!:;…–—])|sorry|correction|oops|scratch "
        r"that|i mean|my mistake|my bad|not quite"
        r"|in fact|to correct myself)"
    ),
    memory_requests=(
        r"(?:(?:can|could|would|will) you )?(?:please )?(?:(?:i (?:want|need|would like) you to "
        r")?(?:always )?"
        r"(?:remember|memori[sz]e|note(?: down)?|keep in mind|bear in mind|do not forget|don't forget"
        r"|make (?:a )?note(?: of the fact)?"
        r"|be aware|take note|save|store|write down|put on record|add to (?:your )?memory|jot down))"
        r"(?: this)?(?:(?: for (?:me|later|next time|the future))?(?: that\b|:|,)(?: that\b)?|(?= (?:i"
        r"|i'm|i've|i'd|my|we|we're|our)\b))"
    ),
    negated_memory=(
        r"\b(?:do not|never|please do not|no need to|you need not|rather not) (?:ever )?(?:remember"
        r"|memori[sz]e|store|save|record|keep"
        r"|note|write (?:this|that|it) down|log)\b(?! (?:my|the) )|\b(?:forget|ignore|disregard) (?:what"
        r"|that|this|it|everything|all of that)\b"
        r"|\boff the record\b|\bkeep (?:this|that) between us\b|\bstrike that\b"
    ),
    handing_over=(
        r"\b(?:translate|summari[sz]e|proofread|rewrite|rephrase|paraphrase|correct|review|analy[sz]e"
        r"|edit|improve|shorten|classify"
        r"|reply to|respond to|critique|check|polish|parse|extract)\b[^:\n]*(?::|\b(?:following|below)\b)"
        r"|\b(?:here is|this is|below is) (?:the|an?|my|her|his|their|what) (?:\w+ )?(?:text|e-?mail"
        r"|message|letter|review"
        r"|transcript|log|article|cover letter|bio|story|post|essay|draft|output|prompt)\b[^.\n]*:"
    ),
    question=(
        r"\?\s*$|^(?:do|does|did|is|are|was|were|can|could|would|should|will|have|has|am|shall) (?:i|you"
        r"|we|they|he|she|it|there"
        r"|this|that|these|those|the|my|your|anyone|anybody)\b|^(?:what|why|how|who|which|where"
        r"|whose)(?: is| are| do| does| did"
        r"| can| should| would| will| many| much| about| long| often| far| on earth)\b"
    ),
    vetoes=(
        (
            "hypothetical",
            (
                r"\bif (?:i|we|you) (?:was|were|had|could|ever|would|did)\b|\bwhat if\b|\bsuppos(?:e|ing) "
                r"(?!to)|\bimagin(?:e|ing)\b"
                r"|\bassum(?:e|ing)\b|\blet us say\b|\bhypothetical|\bpretend|\bin theory\b|\bi wish\b"
                r"|\bwould have\b"
            ),
        ),
        (
            "third_party",
            (
                rf"^(?:he|she|they|someone|somebody|people|everyone|everybody|most people|some people"
                rf"|(?:my|our|the|an?) (?:\w+ )?{OTHERS})\b"
                rf"|\b(?:he|she|they|(?-i:[A-Z])[a-z]+|{OTHERS}|article|book) (?:said|says|told|tells|claims?"
                r"|thinks?|believes?"
                rf"|mentioned|wrote|writes|asked)\b|^according to\b"
            ),
        ),
        (
            "speculation",
            (
                r"\b(?:maybe|perhaps|possibly|might|probably|not (?:so |really |quite )?sure|i guess|i "
                r"suppose|i wonder|i doubt|i think i\b"
                r"|i (?:could|can) (?:see|imagine|picture)|i could be|one day|some ?day|i am (?:thinking"
                r"|considering|tempted|toying)"
                r"|thinking (?:of|about)|i feel like|hard to say|not certain|i was thinking|i hope|would be "
                r"(?:nice|great|cool)|i dream"
                r"|no idea|i may (?!not)|if i remember|i believe i)\b"
            ),
        ),
        (
            "request",
            (
                r"\bi (?:want|need|would like|would love) you to\b|\bi need (?:some |your )?(?:help|advice"
                r"|assistance)\b|\bhelp me\b"
                r"|^i (?:just )?(?:would like|would love|want|need|have|wanted|am looking|am trying|am "
                r"going) to "
                r"(?:book|buy|change|cancel|order|know|ask|find|get|make|see|check|reserve|return|update|talk"
                r"|speak|learn how|create"
                r"|write|fix|send|rent|schedule|plan|go|build|add|install|set|understand)\b|\bremind me\b"
            ),
        ),
        (
            "context",
            (
                r"^(?:(?:it|that|here|which) (?:is|was|has|feels?|felt|reminds?|reminded|breaks?|gave|made"
                r"|makes|pushed|looks?|sounds?|means?|took)"
                r"|this (?:is|was|has)|these are|those are|sounds|reminds|reminded|seeing|knowing|losing"
                r"|found out)\b"
                r"(?!.*\bnot\b)(?!.*\b(?:important|essential) (?:to|for) me that\b)"
            ),
        ),
        (
            "ephemeral",
            (
                r"\b(?:tomorrow|yesterday|last night|this (?:morning|afternoon)|in an hour|in \d+ minutes|by "
                r"(?:noon|five|six|tonight))\b"
                r"|\bi (?:always|usually|never|often|sometimes|keep) (?:get(?:ting)?|see(?:ing)?|receive|run "
                r"into) (?:an?|the|this|that)\b.*"
                r"\b(?:errors?|timeouts?|exceptions?|warnings?|messages?|failures?|crash\w*|page|popups?)\b"
            ),
        ),
    ),
    finds=(
        (
            "rule",
            (
                r"\b(?:from now on(?:wards)?|going forward|moving forward|from here on(?: out| in)?|from "
                r"this point on|from today on"
                r"|henceforth|as of (?:now|today)|whenever you|every time you|each time you)\b"
                r"|\bin (?:the )?future,? (?:please|always|never|do not|i (?:want|would|prefer|need)|use|only"
                r"|no|keep|answer|avoid|stick)\b"
                rf"|^(?:always|never) (?:{DIRECTED})\b"
                r"|^(?:do not|avoid|stop) (?:ever )?(?:us(?:e|ing)|includ\w+|add(?:ing)?|suggest\w*"
                r"|recommend\w*|send\w*|show\w*"
                r"|call(?:ing)?|writ\w+|put\w*|offer\w*|giv\w+|mention\w*|ask(?:ing)?|book\w*|explain\w*"
                r"|apologi\w+)\b"
            ),
        ),
        (
            "correction",
            (
                r"\bi (?:have )?(?:just |recently |now |since |finally |also )*(?:moved|switched|relocated"
                r"|changed (?:jobs?|my|to|from|careers?)"
                r"|quit|stopped|gave up|given up|started (?:working|a new|eating|drinking|using|at|my)"
                r"|migrated|became|converted)\b"
                r"(?! (?:the|this|that|it)\b)|\b(?:i|we) no longer\b|\b(?:i|we) (?:do|am|can|have) "
                r"not\b.*\bany ?more\b"
                r"|\bi used to\b.*\bnow\b|\bit is not\b.*\bmy\b|\bmy\b.*\bis not\b.*, (?:it is|but)\b"
            ),
        ),
        (
            "constraint",
            (
                rf"\b(?:i|we) can not {ADV}(?:eat|drink|have|take|fly|walk|climb|lift|sit|stand (?:for|up"
                r"|long)|drive|travel|work|hear|tolerate"
                r"|wear|digest|use|do|handle|smoke|swim|bend|run|be (?:near|around|outdoors)|eat|carry|sleep"
                r"|stay)\b(?! (?:it|this|that|you)\b)"
                r"|\b(?:i|we) can only\b|\b(?:i|we) (?:am|are) only (?:available|free|reachable|working"
                r"|around|allowed)\b"
                r"|\b(?:i|we) (?:am|are) (?:not (?:able|allowed) to|unable to|forbidden)\b|\bi (?:must|have "
                r"to|need to|should) (?:avoid|watch"
                rf"|limit|stay away)\b|\b(?:i|we) (?:must|should|may) not\b(?! (?:forget))"
                rf"|\b(?:i|we) {ADV}(?:am|are|have|have got|suffer from|live with|use|need|take|get|was "
                rf"diagnosed with|am on)\b.{{0,40}}\b{HEALTH}\b"
                rf"|\bmy {FAMILY}\b.{{0,30}}\b(?:allerg\w+|(?:is|are) {HEALTH}|has {HEALTH}|can not|does not "
                r"(?:eat|drink)|do not (?:eat|drink)"
                rf"|(?:needs?|uses) (?:a |an )?{HEALTH})\b"
                r"|\bi am on (?:an? )?(?:\w+ )?(?:diet|medication|antibiotics|thinners|keto|insulin|pills"
                r"|call duty)\b"
                r"|\b(?:my|our) (?:\w+ )?(?:budget|spending limit|price limit)\b|\bi (?:do not|can not|will "
                r"not|never) (?:want to )?(?:spend|pay|afford)\b"
                rf"|\bi can (?:spend|afford)\b"
                rf"|\b(?:i|we) {ADV}(?:need|require|must have)\b.*\b(?:whenever|always|every time|when i"
                r"|because of|due to|since i|accessible"
                r"|step-free|ground floor|quiet|gluten|vegetarian|vegan|kosher|halal|subtitles|large print"
                r"|elevator|lift|crib)\b"
                rf"|\bi (?:do not|never) {ADV}(?:eat|drink|smoke|drive|fly|speak|wear|work|own|take|cook"
                r"|travel)\b(?! (?:it|this|that|you)\b)"
                rf"|\bi am {ADV}(?:afraid|scared|terrified) of (?!that|it|losing)|\bi get (?:motion|sea|car"
                r"|air|travel)[- ]?sick"
                r"|\bmy (?:doctor|physician|gp|dentist|therapist|physio\w*|dietician"
                r"|cardiologist)s?\b.*\bme\b"
                rf"|^my {BODY}\b.*\b(?:not|bad|sensitive|weak|problems?|any ?more|ca not)\b|\bbecause of "
                rf"my {BODY}\b"
                r"|\b(?:noise|heights|crowds|strong smells|bright lights?|loud \w+|small "
                r"spaces)\b.*\b(?:me)\b"
            ),
        ),
        (
            "preference",
            (
                rf"{EMBEDDED}\bi {ADV}(?:prefer|like|love|adore|enjoy|hate|dislike|detest|loathe|avoid"
                r"|favou?r"
                rf"|despise){PASSING}\b"
                rf"|\bi (?:do|did|can|could|would) not {ADV}(?:like|stand|bear|enjoy|care for|care about"
                rf"|tolerate){PASSING}\b"
                rf"|\bi would {ADV}(?:rather|sooner)\b"
                rf"|{EMBEDDED}\bi am {ADV}(?:not )?{ADV}(?:an? (?:\w+ )?fan of|fond of|partial to|into"
                r"|keen on"
                r"|crazy about|picky about|particular about"
                rf"|used to|addicted to|obsessed with)\b{PASSING}|\bi am (?:not )?(?:more of )?an? [\w-]+ "
                r"person\b"
                rf"|\bmy (?:\w+ )?(?:favou?rites?|preferred|preference|go-to|usual|default)\b"
                rf"|{EMBEDDED}\bi (?:almost |nearly )?(?:usually|always|never|generally|normally|typically"
                r"|mostly|tend to|rarely|seldom|hardly ever)"
                r" (?!been|had|thought|knew|heard|seen|said|meant|mind|wanted|want|feel|felt|understood|did"
                rf"|wondered|asked)[a-z]+{PASSING}"
                r"|\bi am (?:usually|always|generally|never|normally|rarely) (?!there|here|up|down|happy|glad"
                r"|open|ready|thankful|grateful|amazed|so|on your)[a-z]+|\bi (?:take|drink|like) my \w+ "
                r"|^(?!it\b|this\b|that\b|what\b|your\b).*\b(?:bothers?|annoys?|irritates?|stresses|drains?"
                r"|relaxes|calms|suits) me\b"
                r"|^(?!it\b|this\b|that\b|your\b).*\b(?:is|are) (?:very |really |super |so |most |not "
                r")*(?:important|essential|a must"
                rf"|a dealbreaker|crucial) (?:to|for) me\b"
                r"|^(?!it\b|this\b|that\b|your\b).*\b(?:is|are) (?:just |really )?not(?: really)? (?:my "
                r"(?:thing|cup of tea|jam|style)|for me)\b"
                rf"|^(?!it\b|this\b|that\b|your\b).*\b(?:matters?|appeals?) (?:a lot |most |more )?to me\b"
                r"|\bworks? best for me\b|^[^,]{3,40} for me,? (?:always|every time)\b|^[\w -]{3,40}, "
                r"always$"
                rf"|^no [\w -]{{3,30}} for me\b|\bi could live without\b"
            ),
        ),
        (
            "fact",
            (
                rf"\b(?:i|we) {ADV}(?:live|reside|grew up|was born|were born|come from|came from|work|study"
                r"|studied|teach|own|play|speak|drive"
                r"|commute|volunteer|belong|code|program|develop|practi[cs]e|major(?:ed)?|graduated|freelance"
                r"|bike|cycle|run|swim|train|cook"
                r"|collect|paint|sing|meditate|fast|use|deploy|host|maintain|rent|manage|lead|wake up|get up"
                r"|go to bed|observe|eat|drink"
                rf"|smoke|sleep|moved|identify|earn|hold|subscribe|have lived|have worked)\b"
                r"(?! (?:it|this|that|these|those|your|you|into (?:an?|the|this)|out|on it|the (?:following"
                r"|code|command|script|tests?|app"
                rf"|build|program|same|latest)|as expected|fine|\w+ (?:and|but) (?:get|it)))"
                r"|\bi have been (?:a |an |living|working (?:at|for|as|in|with|from)|learning|studying"
                r"|playing|practi[cs]ing|training|using|teaching|running"
                r"|taking|married|vegan|vegetarian|sober|freelancing|coding|swimming|cycling|going to|driving"
                r"|on)\b"
                rf"|\bi am {ADV}(?:learning|studying|training|based|married|single|divorced|retired|engaged"
                r"|self-employed|unemployed|freelance"
                r"|freelancing|left-handed|right-handed|vegetarian|vegan|pescatarian|kosher|halal|muslim"
                r"|jewish|hindu|buddhist|christian|catholic"
                r"|from|born|responsible for|in charge of|fluent|bilingual|employed|part-time|full-time"
                r"|teetotal|sober|colou?r-?blind|pregnant"
                r"|working (?:at|for|as|in|from)|living|raising|using(?! (?:it|this|that|the|your))|an? "
                r"(?!bit|little|few|lot|couple|fan|while|mess"
                rf"|moment|idiot|big fan))\b"
                r"|\bi am (?:an? )?(?-i:[A-Z])[a-z]+(?:ish|an|ese|ch|iss|eek|raqi|raeli|ai)\b|\bi am "
                r"\d\d?\b(?: years? old|$)"
                rf"|\b(?:i|we) have (?:got )?(?:{NUMBER} )?(?:[\w-]+ ){{0,2}}{OWNED}\b|\bi (?:hold|own) an? "
                rf"|\bmy (?:first |last |full |middle )?name is\b|\bi go by\b"
                r"|^(?:(?:you )?can |(?:everyone|everybody|friends|people) )?calls? me (?!back|when|at"
                r"|tomorrow|later|on|if|in|asap|an?)\w+"
                rf"|^(?:you can|you may) call me\b"
                rf"|(?:^|, |\band |\bwhen )(?:my|our) (?:\w+ )?{FAMILY} (?:[\w-]+ )?(?:is|are|has|have|was"
                r"|lives?|works?|needs?|likes?|loves?|hates?|goes|go|plays?"
                r"|can not|can|does not|do not|eats?|speaks?|studies|prefers?|turns|attends?|started?|comes"
                r"|wants|and i)\b"
                rf"|(?:^|, |\band |\bthat )(?:my|our) (?:[\w-]+ ){{0,2}}{THING} (?:is|are|falls|runs?|uses?"
                r"|has|have|only|starts?|ends?|takes?|expires?|deploys?|ships?"
                r"|supports?|targets?|requires?|lives?)\b(?! (?:\w+ )?(?:been|broken|slow|down|not working"
                r"|crashing|failing|late|lost|here|there|gone"
                rf"|delayed|stuck|empty|ready|missing|dead))"
                rf"|\bwe are (?:an?|both|two|three|four|five|six|\d+)\b|\bthere are \w+ of us\b"
            ),
        ),
        (
            "rule",
            (
                r"^(?:please )?(?:no more|enough with the) [a-z]+ in (?:your|the) \w+"
                r"|\b(?:i|we) (?:want|need|expect|would like|prefer) (?:your |the |all )(?:answers?|repl(?:y"
                r"|ies)|emails?|code|summar(?:y|ies)|responses?|explanations?)\b"
            ),
        ),
        (
            "constraint",
            (
                r"\b(?:i|we) (?:am|are) not (?:supposed|meant|permitted|cleared|fit) to\b|\b(?:i|we) (?:can"
                r"|must|may) no longer\b"
                r"|\b(?:is|are) (?:forbidden|banned|prohibited|not allowed|off limits|out of the "
                r"question)\b(?=.*\b(?:me|us|my|our)\b|$)"
                r"|^(?:my|our) (?:company|employer|school|team|landlord|religion|faith) (?:forbids|bans"
                r"|prohibits|requires|does not allow|only allows)\b"
                r"|^(?:strictly |only )(?!the\b|this\b|that\b|one\b|if\b|when\b|problem\b|thing\b)[\w-]+ "
                r"(?:restaurants?|hotels?|food|meals?|flights?|options?|places|rooms?|airlines|products"
                r"|sources)\b"
                rf"|\b(?:in|at) (?:our|my) (?:house(?:hold)?|home|place|family)\b|\bthere is an? [\w ]*{HEALTH}\b"
                r"|\bgives? me (?:anxiety|headaches?|migraines?|a headache|a rash|nausea|heartburn|hives)\b"
                r"|\bmakes? me (?:sick|ill|nauseous|dizzy|itch|anxious|nervous|sneeze)\b"
                rf"|\bmy {BODY} (?:is|are) not what\b|\b(?:i|we) would need an? .*\b(?:trip|stay|flight"
                r"|time)\b|\bdoctors? (?:said|says|told|want)\b.*\bi\b"
            ),
        ),
        (
            "preference",
            (
                r"^(?!it\b|this\b|that\b|you\b|your\b).*\b(?:wears? me out|tires? me|exhausts? me"
                r"|overwhelms? me|bores? me|depresses me|puts? me off|freaks? me out"
                r"|gets? on my nerves|cheers? me up|does nothing for me|do nothing for me)\b|\bi am (?:more "
                r"of|more|rather) an? .* than\b|\bi am (?:definitely |very much )?an? [\w-]+ (?:guy|girl|gal"
                r"|type|lover|kind of)\b"
                r"|\bi do not do [a-z]+$|\b(?:never again|will not .* again|swear by|sworn off|cannot live "
                r"without|can not live without|not a fan)\b(?<!^never again)"
                r"|\b(?:as a rule|in general|on principle|by habit|out of habit|whenever possible|if possible"
                r"|if i can help it|rain or shine)\b.*\bi\b|\bi\b.*\b(?:as a rule|in general|on principle"
                r"|whenever possible|rain or shine)\b"
                r"|\bi tend to\b|\bi (?:try to|make sure to|make a point of|insist on|stick to|go for|opt "
                r"for|always go) (?!it|this|that)\w+"
            ),
        ),
        (
            "fact",
            (
                r"\b(?:i|we) (?!\w+ed\b)\w+ .*\b(?:every (?:other )?(?:day|morning|evening|night|week|month"
                r"|year|summer|winter|monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend)|on "
                r"(?:weekends|weekdays|mondays"
                r"|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays)|twice a \w+|once a \w+|(?:two"
                r"|three|four|five) (?:times|days) a \w+|in my (?:free|spare) time|after work|these days|for "
                r"a living)\b"
                r"|\b(?:in my (?:free|spare) time|on (?:weekends|weekdays|mondays|fridays|sundays|saturdays)"
                r"|every \w+|after (?:work|six|seven|eight|lunch)|these days)\b,? (?:i|we) (?!get\b|am "
                r"getting|see )\w+"
                r"|\b(?:i|we) (?:have )?(?:just |recently )?(?:had|adopted|got|bought|rescued|welcomed) "
                rf"(?:an? |our |my |two )?(?:\w+ )?(?:twins|baby|son|daughter|{OWNED})\b"
                rf"|^(?:my|our|both of my|both my) {FAMILY} (?!said|says|told|asked|called|thinks|think|wants "
                r"to know)(?:[a-z]+s|are|have|live|work|do not|starts)\b|^the kids (?:are|have|live|go)\b"
                r"|\bi am on [\w ]+ (?:street|avenue|road) (?:now|these days)|\bi (?:gave up|lost|got|have) "
                r"my (?:licen[cs]e|job|degree|citizenship)\b"
            ),
        ),
        (
            "constraint",
            r"^(?:i|we) (?:need|require|must|have to)\b.*\b(?:otherwise|because|since|or else)\b",
        ),
        (
            "fact",
            (
                r"^(?:i|we) (?!(?:am|are|was|were|have|had|do|did|does|can|could|will|would|shall|should|may"
                r"|might|must|need|want|get|see|think|know"
                r"|mean|guess|hope|feel|understand|believe|remember|agree|wonder|say|said|found|find|saw|went"
                r"|got|made|took|came|told|thought|knew|put|read"
                r"|left|lost|met|paid|ran|sent|spent|wrote|heard|felt|tried|used|try|ask|notice|doubt|suppose"
                r"|like|love|wish|send|attach|look|call|keep"
                r"|appreciate|apologi[sz]e|trust|promise|bet|swear|go|leave|arrive|just|really|still|also"
                r"|even|already|only|recently|finally|currently|never"
                r"|always|actually|totally|completely|fully|forgot|broke|bought|caught|chose|gave|held|kept"
                r"|won|built|began|fell|all|both|gotta|wanna|gonna|rock|set|stay|\w+ly|recommend"
                r"|reccomend)\b)(?!\w+ed\b)[a-z]+\b"
                r"(?!.* (?:you|your|it|this|that|these|those|them|one|here|there)\b)"
                r"|^(?:my|our) (?!(?:\w+ )?(?:flight|order|package|code|build|script|test|internet|connection"
                r"|question|point|bad|apologies|guess|mistake|plan"
                r"|plans|appointment|meeting|train|booking|reservation|problem|issue|idea|bus|file|message"
                r"|turn|heart|pleasure|thoughts?|goodness|god|battery"
                r"|screen|password reset|ticket|trip|card|account|favou?rite|boss|friends?|last|next|day|week"
                r"|weekend|morning|night)\b)"
                r"(?:[\w'-]+ ){1,3}(?:is|are|has|runs|uses|lives|requires|needs|pays|works|allows|closes"
                r"|opens|starts|expires|covers|stays) (?!\w+ing\b|about\b|to\b|full\b|broken|slow|down|not"
                r"|crash|fail|late|lost|here|there|gone|delayed|stuck|ready|missing|dead|been|so\b|really"
                r"|super|awesome|amazing|great|just)\w+"
            ),
        ),
    ),
    fragments=(
        r"^i meant\b|^(?:it is |that is |the \w+ is )?not (?!bad|now|yet|sure|really|at all|much|too|only"
        r"|that)"
        r"(?:on |in |for |at |the )*[\w' ]{1,30}?(?:,|;|:| -| but) ?(?:but |it is |rather |on |in |the )*\w+"
        r"|^(?:it is |on |in |the )*[\w' ]{1,30}, not (?:on |in |the )*\w+"
    ),
    this_once=rf"\b{ONCE}\b",
    finds_this_once=(
        rf"\b(?:i|we) {ADV}(?:(?:want|need|would like|would love)(?! to (?:book|buy|change|cancel|order"
        r"|know|ask|find|go|see|check)\b)"
        r"|like|prefer|require|fancy|am only|am looking for|are only|would prefer|would rather|am (?:in"
        r"|on|at) \w)"
        r"|(?:^|, )(?:please )?(?:keep|no|only|use|avoid|stay|stick|make it|nothing|limit|answer)\b"
        r"|\bbudget\b|\b(?:at most|no more than)\b"
        rf"|^(?:(?:and |but )?{ONCE},? )(?:a|an|the|no|some|something|nothing|with|without|more|less|my|our)\b"
        r"(?!.*\b(?:is|are|was|were|has|had|did|does|went|worked|works|failed|came|got|looks?|felt|seems?)\b)"
        rf"|(?:^|, |: ?)(?:{ONCE}[,:]? ?)?(?:please )?(?:give (?:me|us)|use|put|take|pick|choose|skip|add"
        r"|leave|write in|write to me in|seat|let me have)\b"
        r"|\b(?:i'd|we'd|i would|we would) (?:take|go for|go with|like|prefer|rather|need)\b"
        r"|\bi have (?:a|an) \w+ this\b"
    ),
    why=r"^i (?:really |just )*(?:want|need|have) to [a-z]+(?: [a-z]+){0,4}$",
    leftovers=(
        (
            "assent",
            (
                r"^(?:(?:yes|yeah|yep|no|nope|ok|okay|right|exactly|correct|true|sure|absolutely|indeed|that "
                r"is right|that is correct|you are right"
                r"|got it|agreed|of course|sounds good|perfect|great|fine|please do|go ahead)[ ,.!]*)+$"
            ),
        ),
        ("request", rf"^(?:{ASKED})\b|\bi (?:would like|want|need|am looking for|will take|will have)\b"),
        (
            "small_talk",
            (
                r"\b(?:thanks|thank you|hello|hi|hey|good (?:morning|evening|night|afternoon)|how are you"
                r"|sorry|great|awesome|cool|nice|well done"
                r"|tired|hungry|bored|happy|glad|excited|lol|haha|wow|bye|see you|cheers|i (?:like|love) "
                r"(?:it|this|that|how|your))\b"
            ),
        ),
    ),
    until=(
        (
            r"\b(?:until|till|til|through|up to) (?:the )?(?:next )?(?P<weekday>monday|tuesday|wednesday"
            r"|thursday|friday|saturday|sunday)\b"
        ),
        r"\b(?:until|till|til|through) (?:the )?(?P<edge>end of (?:the |this )?(?P<unit>week|month|year))\b",
        (
            r"\b(?:until|till|til|through) (?:the )?(?:end of |mid-?|early |late )?(?P<month>january|february"
            r"|march|april|may|june|july|august"
            r"|september|october|november|december)(?: (?P<day>\d{1,2})(?:st|nd|rd|th)?)?\b"
        ),
        (
            r"\b(?:until|till|til|through) (?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th)?(?: of)? "
            r"(?P<month>january|february|march|april|may|june|july"
            r"|august|september|october|november|december)\b"
        ),
        (
            r"\b(?:for|over|during) the (?P<next>next|coming) (?:(?P<count>\w+) )?(?P<unit>days?|weeks?"
            r"|months?"
            r"|years?)\b"
        ),
        r"\buntil (?P<near>tomorrow)\b|(?<!from )(?<!as of )\b(?P<today>today|tonight)\b",
        r"\b(?:for |during )?this (?P<unit>week|month|year)\b",
    ),
    weekdays={
        "monday": 0,
        "tuesday": 1,
        "wednesday": 2,
        "thursday": 3,
        "friday": 4,
        "saturday": 5,
        "sunday": 6,
    },
    months={
        "january": 1,
        "february": 2,
        "march": 3,
        "april": 4,
        "may": 5,
        "june": 6,
        "july": 7,
        "august": 8,
        "september": 9,
        "october": 10,
        "november": 11,
        "december": 12,
    },
    numbers={
        "one": 1,
        "two": 2,
        "couple": 2,
        "three": 3,
        "few": 3,
        "four": 4,
        "five": 5,
        "six": 6,
        "seven": 7,
        "eight": 8,
        "nine": 9,
        "ten": 10,
        "twelve": 12,
    },
    units={"day": 1, "days": 1, "week": 7, "weeks": 7, "month": 30, "months": 30, "year": 365, "years": 365},
    topics={
        "seat": r"\b(?:seats?|aisle|legroom|exit row)\b",
        "flight": (
            r"\b(?:flights?|fly|flying|airlines?|planes?|airports?|layovers?|red-eyes?|departures?"
            r"|(?:window|aisle) seats?|lufthansa)\b"
        ),
        "dietary": (
            r"\b(?:vegetarian|vegan|pescatarian|gluten|lactose|dairy|kosher|halal|allerg\w+|nuts?"
            r"|peanuts?|shellfish|meat|pork|sugar"
            r"|salt|diets?|alcohol|milk|eggs?|c(?:o)?eliac)\b"
        ),
        "food": (
            r"\b(?:food|eat|meals?|dinner|lunch|breakfast|restaurants?|spicy|cuisine|cook|coffee|tea"
            r"|sushi|pizza|drinks?|wine|beer)\b"
        ),
        "room": r"\b(?:rooms?|floors?|beds?|balcony|crib)\b",
        "hotel": r"\b(?:hotels?|hostels?|airbnb|marriott|hilton|stay somewhere|accommodation|resorts?)\b",
        "baggage": r"\b(?:bags?|baggage|luggage|suitcases?|carry-on)\b",
        "budget": r"\b(?:budget|spend|afford|price|cheap|expensive|dollars|euros|pounds)\b|[$€£]",
        "train": r"\b(?:trains?|rail|railcard)\b",
        "car": r"\b(?:cars?|drive|driving|parking|rental)\b",
        "accessibility": (
            r"\b(?:wheelchair|accessible|step-free|stairs|deaf|blind|colou?r-?blind|subtitles|crutches"
            r"|elevator|lift)\b"
        ),
        "health": (
            r"\b(?:doctor|medication|diabet\w+|asthma\w*|pregnan\w+|migraines?|blood|adhd|health|aspirin"
            r"|penicillin|insulin|therap\w+|sick)\b"
        ),
        "family": (
            r"\b(?:wife|husband|partner|son|daughter|kids?|child(?:ren)?|baby|newborn|mother|father|mom"
            r"|mum|dad|parents|brother|sister"
            r"|family|married|twins)\b"
        ),
        "pet": r"\b(?:dogs?|cats?|pets?|puppy|kitten|rabbits?|horse)\b",
        "city": (
            r"\b(?:live|lives|living|based|moved|move|hometown|grew up|reside|neighbou?rhood|city"
            r"|central|relocated)\b"
        ),
        "work": (
            r"\b(?:work|works|working|job|jobs|company|employer|office|team|career|boss|meetings?|client"
            r"|shift|freelance|retired|engineer"
            r"|nurse|teacher|developer)\b"
        ),
        "language": (
            r"\b(?:speak|language|english|german|french|spanish|italian|portuguese|japanese|chinese"
            r"|bilingual|fluent|tongue)\b"
        ),
        "name": r"\b(?:name|call me|go by|pronouns|nickname)\b",
        "birthday": r"\b(?:birthday|anniversary|born)\b",
        "coding": (
            r"\b(?:code|coding|python|rust|java|kotlin|typescript|javascript|golang|django|react|api"
            r"|unit tests?|tests|commits?|editor|vim|neovim|emacs"
            r"|vs code|linux|mac|zsh|git|docker|tabs|backend|frontend|deploys?|repo|type hints|functions?)\b"
        ),
        "style": (
            r"\b(?:answer|answers|reply|replies|bullet|bullets|emojis?|concise|tone|format|sentences?"
            r"|explain|explanations?|summary)\b"
        ),
        "schedule": (
            r"\b(?:mornings?|evenings?|nights?|weekends?|weekdays?|mondays?|tuesdays?|wednesdays?"
            r"|thursdays?|fridays?|saturdays?|sundays?"
            r"|schedule|wake|meeting|late|early|hours?)\b"
        ),
        "visa": r"\b(?:visas?|passport|green card|citizen\w*)\b",
        "loyalty": r"\b(?:gold|platinum|titanium|loyalty|member|membership|miles|points|status)\b",
        "sport": (
            r"\b(?:gym|run|running|marathons?|swim|yoga|cycling|cycle|bike|football|tennis|hiking"
            r"|climb\w*|workouts?|sports?)\b"
        ),
        "sleep": r"\b(?:sleep|nap|insomnia|night owl|quiet|noise)\b",
        "music": r"\b(?:music|piano|guitar|concerts?|jazz|sing)\b",
        "reading": r"\b(?:books|a book|reading|read|novels?|kindle)\b",
        "home": r"\b(?:house|apartment|flat|garden|kitchen|home)\b",
        "study": r"\b(?:study|studying|learning|college|university|degree|school|phd)\b",
    },
    common=(
        "he she they said he's she's the i a an and is are am i'm my to of in on for with that this you "
        "your do don't can can't it it's not have has what which how please we was were be me at from no "
        "yes if or but so like would want need never always usually by i've i'd there who when where why "
        "will just about thanks prefer one than only hate love live work use let's show"
    ),
)
