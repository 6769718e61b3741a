"""How everyday facts are told in English."""

from __future__ import annotations

from typing import Final

from bethink.lifecycle.consolidate.facts.book import Book, either, form, lasts, own
from bethink.lifecycle.consolidate.facts.brands import BRANDS

_BE: Final = "(?:am|m|is|s|are|re)"
_HAVE: Final = "(?:have got|has got|ve got|have|has|ve|own|owns|keep|keeps|got)"
_HAVING: Final = "have, has, got, own, owns, keep, keeps"
_DONE: Final = "(?:have |has |ve |s )?"
_A: Final = "(?:an? |the |some )?"
_WORD: Final = (
    "(?!(?:an?|the|my|his|her|their|our|your|some|another|with|at|in|on|for|by|"
    "and|to|from|of|who|which|that|this|"
    "where|when|if|as|or|near|since|because|one|home|night|nights|weekends|least|"
    "all|once|free|work|school|myself|"
    r"himself|herself|it|them|us)\b)[^\W_]+"
)
_NAME: Final = (
    f"{_WORD}(?: (?!(?:with|at|in|on|for|by|to|from|who|which|where|when|if|as|near|"
    rf"since|because|near|until|during|while|and)\b)[^\W_]+){{0,3}}?"
)
_TAIL: Final = (
    "(?P<tail> (?:with|near|on|since|for|because|in|at|close|next|together|alone|"
    "by|from|who|which|where|when|if|"
    "during|while|until|after|before|as|every|each|per|outside|not|mostly|around|"
    "between|due) .+| together| alone)?"
)
_ADJECTIVES: Final = r"(?:(?!(?:or|and|no|not|another|meeting)\b)[^\W\d_]+ ){0,2}?"
_OCCUPATIONS: Final = """
accountant, actor, actress, analyst, architect, artist, attorney, author, baker, banker, barber, barista, bartender,
biologist, bricklayer, broker, builder, butcher, carer, caretaker, carpenter, cashier, chef, chemist, cleaner, clerk,
composer, consultant, cook, copywriter, courier, dancer, dentist, designer, developer, dietitian, doctor, driver,
economist, editor, electrician, engineer, estate agent, farmer, firefighter, fisherman, florist, gardener, geologist,
gp, hairdresser, historian, illustrator, interpreter, janitor, jeweller, journalist, judge, lawyer, lecturer,
librarian, locksmith, machinist, mason, mathematician, mechanic, midwife, miner, musician, notary, nurse, nutritionist,
optician, painter, paramedic, pharmacist, philosopher, photographer, physician, physicist, physiotherapist, pilot,
plumber, police officer, policeman, policewoman, politician, postman, potter, priest, product manager, professor,
programmer, project manager, psychiatrist, psychologist, publisher, radiologist, receptionist, reporter, researcher,
roofer, sailor, salesman, saleswoman, salesperson, scientist, sculptor, secretary, shop assistant, social worker,
software engineer, soldier, solicitor, statistician, surgeon, surveyor, tailor, tax adviser, taxi driver, teacher,
therapist, tiler, tour guide, trader, trainer, translator, truck driver, undertaker, upholsterer, vet, veterinarian,
waiter, waitress, warden, watchmaker, web developer, welder, writer, zookeeper, retiree, pensioner, student, trainee,
apprentice, civil servant, data scientist, flight attendant, postwoman, vicar, bus driver, tram driver, train driver
"""
_JOBS: Final = either(_OCCUPATIONS)
_CHILDREN: Final = "kid, kids, child, children, son, sons, daughter, daughters"
_PETS: Final = (
    "dog, dogs, cat, cats, horse, horses, rabbit, rabbits, hamster, hamsters, parrot,"
    " parrots, pony, ponies, hen, hens, "
    "chicken, chickens, goat, goats, sheep, tortoise, tortoises, guinea pig, guinea "
    "pigs, budgie, budgies, donkey, donkeys, "
    "puppy, puppies, kitten, kittens, bird, birds, snake, snakes, pet, pets"
)
_COUNTED: Final = (
    f"{_CHILDREN}, {_PETS}, grandchildren, grandchild, grandkids, brother, brothers,"
    " sister, sisters, sibling, siblings, car, cars, bike, bikes"
)
_NUMBERS: Final = "no, one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve"
_NUMBER: Final = rf"(?:\d{{1,3}}|{either(_NUMBERS)})"
_MAKES: Final = f"{BRANDS}, electric car, diesel, diesel car, hybrid, hybrid car, petrol car"
_CARS: Final = either(_MAKES)
_PHONES: Final = either(
    "iphone, android, android phone, samsung, pixel, nokia, fairphone, huawei, xiaomi, blackberry"
)
_WAYS: Final = either(
    "email, e mail, mail, phone, telephone, text, text message, sms, whatsapp, "
    "signal, telegram, slack, letter, post, chat, fax"
)
_RIDES: Final = either(
    "bus, train, tram, bike, bicycle, car, metro, subway, tube, underground, ferry,"
    " scooter, boat, taxi, motorbike"
)
_CLOCK: Final = (
    r"(?:\d{1,2}(?: : \d{2}|\.\d{2})?|one|two|three|four|five|six|seven|eight|nine|"
    "ten|eleven|noon)(?: ?(?:am|pm|o clock))?"
)
_TAKEN: Final = either("""
alcohol, wine, beer, coffee, tea, milk, soda, spirits, whisky, fish, pork, beef, chicken, seafood, sugar, dairy,
gluten, bread, eggs, cheese, sweets, chocolate, red meat, shellfish, fast food, breakfast, lunch, dinner, cigarettes
""")
_LANGUAGES: Final = either("""
english, german, french, spanish, italian, portuguese, dutch, danish, swedish, norwegian, finnish, icelandic, polish,
czech, slovak, hungarian, romanian, bulgarian, greek, turkish, russian, ukrainian, arabic, hebrew, persian, farsi,
hindi, urdu, bengali, tamil, thai, vietnamese, indonesian, malay, mandarin, cantonese, chinese, japanese, korean,
swahili, catalan, basque, irish, welsh, latin, croatian, serbian, slovenian, albanian, estonian, latvian, lithuanian
""")
_LIVE: Final = (
    f"(?:{_BE} )?(?:live|lives|living|reside|resides|residing|based|settled)|{_DONE}(?:been "
    "living|settled)|(?:have|has|ve) lived"
)
_YEARED: Final = r"(?!.* in (?:19|20)\d\d)"


_PEOPLE: Final = """
wife, husband, spouse, partner, girlfriend, boyfriend, son, daughter, baby, mother, father, brother,
sister, grandmother, grandfather, grandma, grandpa, aunt, uncle, cousin, nephew, niece, boss, manager,
assistant, colleague, roommate, flatmate, neighbour, neighbor, friend, parents, kids, children, dog, cat,
family, ex
"""

ENGLISH: Final = Book(
    forms=(
        form(
            "home",
            rf"(?:{_LIVE}) (?:in|at) (?P<v>{_NAME}){_TAIL}",
            "live, lives, living, reside, resides, residing, based, settled, lived",
        ),
        form(
            "home",
            (
                f"{_YEARED}{_DONE}(?:moved|relocated) (?:back |over |home |house )?(?:from {_NAME} "
                f")?to (?P<v>{_NAME}){_TAIL}"
            ),
            "moved, relocated",
        ),
        form(
            "home",
            (
                "(?:home|home city|home town|hometown|city|residence|place of residence) (?:is|"
                f":)(?: in)? (?P<v>{_NAME}){_TAIL}"
            ),
            "home, city, residence, hometown",
            "is, :",
        ),
        form(
            "job",
            (
                f"(?:{_BE} )?(?:work|works|working|employed) as {_A}(?P<v>{_NAME})(?: (?:at|"
                f"for|with) {_A}(?P<o>{_NAME}))?{_TAIL}"
            ),
            "work, works, working, employed",
        ),
        form(
            "job",
            (
                f"(?:{_BE}|became|{_BE} becoming|{_DONE}become) {_A}(?P<v>{_ADJECTIVES}(?:{_JOBS})"
                f")(?: (?:at|for|with) {_A}(?P<o>{_NAME}))?(?: by (?:trade|profession))?{_TAIL}"
            ),
            lasts(_OCCUPATIONS),
        ),
        form("job", rf"{_A}(?P<v>(?:{_JOBS}))(?: by (?:trade|profession))?", "trade, profession"),
        form(
            "job",
            (f"(?:job|profession|occupation|trade) (?:is|:) (?:that of |being )?{_A}(?P<v>{_NAME}){_TAIL}"),
            "job, profession, occupation, trade",
        ),
        form(
            "job",
            rf"(?:earn|earns|make|makes) (?:my|his|her|their|a) living as {_A}(?P<v>{_NAME}){_TAIL}",
            "living",
        ),
        form(
            "job",
            (
                f"(?:{_BE} |{_DONE})?(?:retired|in retirement|gone into retirement|went into "
                f"retirement){_TAIL}"
            ),
            "retired, retirement",
            value="retired",
        ),
        form(
            "employer",
            (
                f"(?:{_BE} )?(?:work|works|working|employed) (?:at|for|by|with) {_A}(?P<v>{_NAME})"
                f"(?: as {_A}(?P<o>{_NAME}))?{_TAIL}"
            ),
            "work, works, working, employed",
        ),
        form(
            "employer",
            (
                f"{_DONE}(?:started|begun|began|got a job|have a job|has a job|took a job)(?: "
                f"work| working| a (?:new )?job)? (?:at|with|for) {_A}(?P<v>{_NAME}){_TAIL}"
            ),
            "started, begun, began, job",
        ),
        form("employer", rf"{_DONE}joined (?P<v>{_NAME}) as (?:an? )(?P<o>{_NAME}){_TAIL}", "joined"),
        form("employer", rf"employer (?:is|:) {_A}(?P<v>{_NAME}){_TAIL}", "employer"),
        form(
            "workplace",
            rf"(?:{_BE} )?(?:work|works|working) (?:from home|remotely|from my home office){_TAIL}",
            "work, works, working",
            value="home",
        ),
        form(
            "workplace",
            rf"(?:{_BE} )?(?:work|works|working) (?:at|in|from) (?:the|an) office{_TAIL}",
            "work, works, working",
            value="office",
        ),
        form(
            "count",
            rf"{_HAVE} (?P<n>{_NUMBER}) {_ADJECTIVES}(?P<k>{either(_COUNTED)}){_TAIL}",
            _COUNTED,
            _HAVING,
        ),
        form(
            "count",
            (
                f"(?:{_BE} )?(?:a |the )?(?:single )?(?:mother|father|mum|mom|dad|parent|parents)"
                f" of (?P<n>{_NUMBER})(?P<k>)"
            ),
            "mother, father, mum, mom, dad, parent, parents",
            "of",
        ),
        form(
            "has",
            (
                f"{_HAVE} an? (?P<a>{_ADJECTIVES})(?P<k>{either(_PETS)}) (?:called|named|whose "
                f"name is|who is called|by the name of) (?P<v>{_NAME})"
            ),
            _PETS,
            _HAVING,
        ),
        form("has", rf"{_HAVE} an? (?P<v>{_ADJECTIVES})(?P<k>{either(_PETS)})", _PETS, _HAVING),
        form("marital", rf"(?:{_BE} |{_DONE}been )?single", "single", value="single"),
        form(
            "marital",
            rf"(?:{_BE} |{_DONE}been |{_DONE}got |{_DONE}gotten |get )?married{_TAIL}(?: to .+)?",
            "married",
            value="married",
        ),
        form(
            "marital", rf"(?:{_BE} |{_DONE}got |{_DONE}gotten )?divorced{_TAIL}", "divorced", value="divorced"
        ),
        form(
            "marital",
            rf"(?:{_BE} |{_DONE}got |{_DONE}gotten )?engaged(?: to .+)?{_TAIL}",
            "engaged",
            value="engaged",
        ),
        form(
            "marital",
            rf"(?:{_BE} |{_DONE})?(?:separated|broken up|broke up|split up){_TAIL}",
            "separated, broken, broke, split",
            value="separated",
        ),
        form(
            "marital",
            rf"(?:{_BE} |{_DONE}been )?widowed{_TAIL}|{_BE} a (?:widow|widower)",
            "widowed, widow, widower",
            value="widowed",
        ),
        form("age", r"(?:am|m|is|s) (?P<n>\d{1,3}) years(?: old)?", "years"),
        form("age", r"(?:am|m) (?P<n>[1-9]\d)", "am, m"),
        form("age", r"age (?:is |: )?(?P<n>\d{1,3})", "age"),
        form("age", r"(?:have |has |ve )?turned (?P<n>\d{1,3})", "turned"),
        form("allergy", rf"(?:suffers? from|{_HAVE}) an allergy to (?P<v>{_NAME})", "allergy"),
        form("allergy", rf"(?:{_BE} )?(?:severely |highly |badly )?allergic to (?P<v>{_NAME})", "allergic"),
        form(
            "allergy",
            (f"{_HAVE} an? (?:severe |bad |strong )?(?P<v>{_NAME}) allergy|allergy (?:is )?: (?P<n>{_NAME})"),
            "allergy",
        ),
        form(
            "allergy",
            r"(?:(?:can|ca|does|do) )?(?:tolerate|digest) (?P<v>lactose|gluten|fructose|histamine)",
            "tolerate, digest",
            denies=True,
        ),
        form(
            "allergy",
            (
                f"(?:{_BE} )?(?P<v>lactose|gluten|fructose|histamine) intolerant|{_HAVE} an? "
                "(?P<n>lactose|gluten|fructose|histamine) intolerance"
            ),
            "intolerant, intolerance",
        ),
        form(
            "speaks",
            (
                "(?:can |does |do )?(?:speak|speaks) (?:some |fluent |good |perfect |native "
                f"|a little )?(?P<v>{_LANGUAGES})"
            ),
            "speak, speaks",
        ),
        form("speaks", rf"(?:{_BE} )?fluent in (?P<v>{_LANGUAGES})", "fluent"),
        form(
            "eating",
            (
                f"(?:{_BE} )?(?:an? )?(?P<v>vegetarian|vegan|pescatarian|pescetarian)|(?:eat|"
                f"eats|follow|follows|keep|keeps|{_BE} on) an? (?P<n>vegetarian|vegan|pescatarian|"
                "pescetarian) diet|(?:went|turned|gone) (?P<k>vegetarian|vegan|pescatarian|"
                "pescetarian)"
            ),
            "vegetarian, vegan, pescatarian, pescetarian",
        ),
        form(
            "eating",
            (
                "(?:do |does |can |am |m |is |s )?(?:eat|eats|eating|started eating)(?: any)"
                "? meat(?P<tail> (?:on|when|if|only|for|at|in|with) .+)?"
            ),
            "eat, eats, eating",
            value="omnivore",
        ),
        form(
            "takes",
            (
                f"(?:do |does |can |{_BE} |have |has )?(?:drink|drinks|drinking|eat|eats|eating|"
                "started drinking|started eating|started to eat|started to drink)(?: any)? "
                f"(?P<v>{_TAKEN}){_TAIL}"
            ),
            "drink, drinks, drinking, eat, eats, eating",
        ),
        form(
            "takes",
            (
                "(?:have |has |ve )?(?:stopped|quit|gave up|given up) (?:drinking |eating |"
                f"smoking )?(?P<v>{_TAKEN}){_TAIL}"
            ),
            "stopped, quit, gave, given",
            denies=True,
        ),
        form(
            "takes",
            rf"(?:do |does |{_BE} )?(?:smoke|smokes|smoking|started smoking){_TAIL}|(?:{_BE} )?a smoker",
            "smoke, smokes, smoking, smoker",
            value="smoke",
        ),
        form(
            "takes",
            (
                "(?:have |has |ve )?(?:stopped|quit|gave up|given up) (?:smoking|cigarettes)"
                "|(?:am |m |is |s )?a (?:non ?smoker)"
            ),
            "smoking, cigarettes, smoker, nonsmoker",
            value="smoke",
            denies=True,
        ),
        form(
            "car",
            (
                f"(?:drive|drives|driving|have|has|own|owns|bought|{_DONE}bought) (?:an? )(?:(?!(?:or|"
                rf"and)\b)[^\W\d_]+ ){{0,2}}?(?P<v>{_CARS})(?: [^\W_]+)?{_TAIL}"
            ),
            lasts(_MAKES),
        ),
        form("car", rf"car (?:is|:) {_A}(?:[^\W\d_]+ )?(?P<v>{_CARS})(?: [^\W_]+)?", "car"),
        form(
            "phone",
            (
                "(?:use|uses|using|have|has|own|owns|got|bought|switched to|moved to|phone "
                rf"is|phone :) (?:an? )?(?:new |old )?(?P<v>{_PHONES})(?: phone)?(?: \d+)?{_TAIL}"
            ),
            "iphone, android, samsung, pixel, nokia, fairphone, huawei, xiaomi, blackberry",
        ),
        form(
            "wakes",
            (
                f"(?:get|gets|getting|wake|wakes|waking|{_BE}) up (?:at|around|by) (?P<v>{_CLOCK})"
                f"(?: in the morning)?{_TAIL}"
            ),
            "up",
        ),
        form("name", rf"name (?:is|:) (?P<v>{_NAME})", "name"),
        form(
            "called",
            (
                f"(?:call me|goes by|go by|(?:{_BE} )?called|(?:want|wants|like|likes|prefer|"
                f"prefers) to be called|address me as|please call me) (?P<v>{_NAME})"
            ),
            "call, called, goes, go, address",
        ),
        form(
            "contact",
            (
                "(?:(?:contact|reach|message|write(?: to)?|text|call) (?:me|him|her|them)|(?:prefer|"
                "prefers|want|wants|like|likes) to be (?:contacted|reached)|(?:reach|reaches)"
                rf" \w+) (?:by|via|per|through|on|over) (?:the )?(?P<v>{_WAYS}){_TAIL}"
            ),
            "contact, contacted, reach, reached, message, write",
        ),
        form("contact", rf"(?P<v>{_WAYS}) is the best way to (?:contact|reach) (?:me|him|her|them)", "way"),
        form(
            "tenure",
            (
                "(?P<v>own|rent)s? (?:my |his |her |their |our |an? |the )?(?:own )?(?:flat|"
                "apartment|house|home|place|condo)"
            ),
            "own, rent, owns, rents",
        ),
        form(
            "commute",
            (
                "(?:commute|commutes|get to work|gets to work|go to work|goes to work|travel "
                f"to work|travels to work) (?:by|on) (?:the )?(?P<v>{_RIDES}){_TAIL}"
            ),
            "commute, commutes, work",
        ),
        form("commute", rf"(?:take|takes) the (?P<v>{_RIDES}) to (?:work|the office){_TAIL}", "take, takes"),
        form(
            "commute",
            rf"(?P<v>cycle|cycles|bike|bikes|walk|walks|drive|drives) to (?:work|the office){_TAIL}",
            "cycle, cycles, bike, bikes, walk, walks, drive, drives",
        ),
    ),
    joints=(
        " , | (?:and|but|so|then|because) (?=(?:now |then |also )?(?:i|we|he|she|they|"
        "my|our|is|am|has|have|had|works?|lives?|drives?|rents?|owns?|sold|speaks?|"
        "plays?|likes?|loves?|hates?|prefers?|wants?|eats?|drinks?|smokes?|still|not|"
        r"never|no)\b)| : (?=(?:i|we|my|our)\b)"
    ),
    passing=(
        "these days|at the moment|at present|as of now|from now on|going forward|for "
        "good|by the way|as well|so far|of age|"
        "(?:last|this|next) (?:year|month|week|spring|summer|autumn|fall|winter|weekend|"
        "january|february|march|april|may|june|july|august|september|october|november|"
        "december)|"
        "in (?:january|february|march|april|may|june|july|august|september|october|"
        "november|december|spring|summer|autumn|fall)|"
        r"(?:an?|two|three|four|five|six|\d+) (?:years?|months?|weeks?|days?) ago|"
        r"since (?:\d{4}|last \w+|\w+ last year|january|february|march|april|may|june|"
        "july|august|september|october|november|december|then)|"
        r"for (?:many|some|a few|\w+) (?:years|months|weeks)|for (?:ever|years|ages)|"
        "now|currently|presently|nowadays|also|still|just|actually|already|finally|"
        "again|recently|lately|always|usually|normally|"
        "generally|typically|mostly|mainly|really|very|any ?more|any longer|fluently|"
        "permanently|officially|meanwhile|too|instead|today|please|well|oh"
    ),
    denying="not any more|not anymore|not any longer|no longer|not|never|cannot",
    people={
        **own(_PEOPLE),
        "mum": "mother",
        "mom": "mother",
        "dad": "father",
        "fiance": "fiance",
        "fiancee": "fiance",
    },
    speaker="i|we|he|she|they|the user|user|the customer|the client",
    possessive="my|his|her|their|our|the",
    dressing=(
        "(?:have |has |ve )?moved(?: house| home)?|(?:have |has |ve )?changed (?:my|"
        "his|her|their) mind(?: about .+)?|this time(?: for good)?|"
        "(?:have |has |ve )?(?:sold|gave away|given away|got rid of) (?:my|his|her|"
        "their|our|the|an?) .+|"
        "(?:have |has |ve )?changed (?:jobs?|careers?)|(?:have |has |ve )?quit(?: (?:my|"
        "his|her|their|the) job)?|"
        "(?:our|my|the) .+ (?:was|were) born|was born|.+ child was born|good news|(?:have "
        "|has |ve )?(?:got|had) news|"
        r"it s official|as it happens|with .+|have been for \w+|ve been|have been|has been"
    ),
    depending=(
        "(?:with|on|near|in|at|since|for|because|together|alone|close|next|where|who|"
        r"which|as|mostly|around|not far|by the|just outside|right)\b"
    ),
    conditions=(
        r"(?:when|if|during|while|until|every|each|per|before|after)\b|on (?:\w+days?|"
        r"weekends|weekdays|holidays?|trips|long|short|business|work)\b|"
        r"at (?:weekends|work|night)\b|in (?:winter|summer|spring|autumn|the (?:morning|"
        r"evening|afternoon|week|winter|summer))\b|for (?:invoices|urgent|work|business)"
        r"\b"
    ),
    leads={
        "home": (
            "live, lives, living, lived, reside, resides, residing, based, settled, moved,"
            " relocated, home, city, residence, hometown"
        ),
        "work": "work, works, working, employed, job, profession, occupation, trade, retired,"
        " retirement, employer, joined, commute, "
        "commutes, cycle, cycles, became, " + lasts(_OCCUPATIONS),
        "children": f"{_CHILDREN}, mother, father, mum, mom, dad, parent, parents",
        "marital": "single, married, divorced, engaged, separated, broke, broken, widowed, widow, widower",
        "eating": "vegetarian, vegan, pescatarian, pescetarian, meat",
        "car": "drive, drives, driving, car, " + lasts(_MAKES),
        "phone": "iphone, android, samsung, pixel, nokia, fairphone, huawei, xiaomi, blackberry",
        "wakes": "up",
        "called": "call, called, name, goes",
        "contact": "contact, contacted, reach, reached, message",
        "tenure": "rent, rents, flat, apartment, house, condo",
        "allergy": "allergic, allergy, allergies, intolerant, intolerance, tolerate, lactose",
        "smokes": "smoke, smokes, smoking, smoker, nonsmoker",
        "age": "years, turned, age",
        "speaks": "speak, speaks, fluent",
    },
    kinds={
        "kid": "child",
        "kids": "child",
        "children": "child",
        "sons": "son",
        "daughters": "daughter",
        "no": "0",
        "one": "1",
        "two": "2",
        "three": "3",
        "four": "4",
        "five": "5",
        "six": "6",
        "seven": "7",
        "eight": "8",
        "nine": "9",
        "ten": "10",
        "eleven": "11",
        "twelve": "12",
        "grandchildren": "grandchild",
        "grandkids": "grandchild",
        "puppies": "puppy",
        "ponies": "pony",
        "pescetarian": "pescatarian",
        "retiree": "retired",
        "pensioner": "retired",
        "attorney": "lawyer",
        "bike": "bicycle",
        "bikes": "bicycle",
        "cycle": "bicycle",
        "cycles": "bicycle",
        "drive": "car",
        "drives": "car",
        "metro": "subway",
        "underground": "subway",
        "tube": "subway",
        "telephone": "phone",
        "mail": "email",
        "sms": "text",
        "volkswagen": "vw",
        "chevy": "chevrolet",
        "farsi": "persian",
        "cigarettes": "smoke",
        "walks": "walk",
        "diesel": "diesel",
        "physician": "doctor",
        "vet": "veterinarian",
    },
)
