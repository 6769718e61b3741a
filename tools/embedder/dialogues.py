"""Made-up lines of conversation with the questions that they answer, by rule.

Each topic has things to fill in, lines that somebody says about them, and questions that another asks about that
somebody later. The person who says a line is `{name}`; `{other}` is who it is said to. A question asks with fewer or
other words than the line has, as people do.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from string import ascii_lowercase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random


@dataclass(frozen=True)
class Topic:
    """What can be said and asked of one subject.

    A question ends with the letters of the lines that answer it, after a bar; `things` are words split at commas.
    """

    lines: tuple[str, ...]
    questions: tuple[str, ...]
    things: dict[str, str] = field(default_factory=dict)

    def asked(self) -> list[tuple[str, str, str]]:
        """Return each question, the bar, and the letters of its answers."""
        return [question.partition("|") for question in self.questions]


COMMON = {
    "when": "yesterday, last week, last Friday, last weekend, two days ago, this morning, last month, on Tuesday, the other "
    "day, a few weeks ago, last summer, last year, over the holidays, in March, back in June, a couple of years ago",
    "soon": "next week, tomorrow, next month, this weekend, in two weeks, this summer, next Saturday, in the fall, in May",
    "who": "my sister, my brother, my mom, my dad, my best friend, my husband, my wife, my kids, my daughter, my son, my "
    "cousin, my grandma, a coworker, my roommate, my partner, some friends, my neighbor, my aunt, my nephew",
    "place": "Paris, Tokyo, Lisbon, Chicago, Seattle, Mexico City, Barcelona, Vancouver, Nairobi, Sydney, Boston, Rome, "
    "Iceland, Portugal, Thailand, Morocco, Peru, New Zealand, Colorado, Hawaii, Texas, Scotland, Berlin, Seoul, Denver, "
    "Istanbul, Cape Town, Montreal, Dublin, Vienna, Costa Rica, Florida, Japan, India, Greece, Croatia, Cuba, Kenya",
    "span": "two years, six months, a decade, five years, three weeks, almost a year, ten years, since college, a while",
    "number": "two, three, four, five, six, seven, eight, ten, twelve, twenty",
    "feeling": "happy, nervous, proud, exhausted, relieved, thrilled, anxious, grateful, sad, overwhelmed, excited, "
    "lonely, peaceful, frustrated, hopeful, scared, inspired, disappointed, confident, stressed",
}

TOPICS = (
    Topic(
        (
            "I adopted a {pet} {when}, we named it {petname}!",
            "{petname}, our {pet}, chewed up {who}'s shoes {when}.",
            "We picked up a {pet} from the shelter and {petname} already sleeps on my bed.",
            "I had to take {petname} to the vet {when}, poor little {pet}.",
            "My {pet} keeps me company when I feel {feeling}.",
        ),
        (
            "What kind of pet does {name} have?|abcde",
            "What is the name of {name}'s {pet}?|abcd",
            "When did {name} get the {pet}?|ac",
            "Which animals live with {name}?|abcde",
            "What happened with {name}'s {pet}?|bd",
            "Who is {petname}?|abcd",
        ),
        {
            "pet": "puppy, kitten, cat, dog, rabbit, hamster, parrot, turtle, guinea pig, goldfish, lizard, ferret, snake, "
            "golden retriever, beagle, poodle, corgi, horse, pony, gecko, canary, dachshund, husky, labrador",
            "petname": "Biscuit, Luna, Max, Bella, Pepper, Shadow, Coco, Milo, Daisy, Rocky, Oreo, Bailey, Ginger, Simba, "
            "Toby, Ziggy, Mochi, Whiskers, Rex, Scout, Hazel, Pickles, Nala, Jasper",
        },
    ),
    Topic(
        (
            "I started a new job as a {job} {when}.",
            "I just got hired as a {job}, I'm so {feeling}!",
            "Work has been rough since they promoted me to {job}.",
            "I quit being a {job} {when}, the hours were too long.",
            "I've been a {job} for {span} and I still love it.",
            "I have an interview for a {job} position {soon}.",
            "They laid me off {when}, so I'm looking for work as a {job}.",
        ),
        (
            "What does {name} do for a living?|abce",
            "What is {name}'s job?|abce",
            "Where does {name} work?|abce",
            "When did {name} start the new job?|ab",
            "What is {name}'s profession?|abcdeg",
            "How long has {name} been a {job}?|e",
            "Why did {name} leave the old career?|dg",
            "Is {name} employed?|abefg",
        ),
        {
            "job": "nurse, teacher, software engineer, lawyer, chef, graphic designer, accountant, paramedic, librarian, "
            "electrician, social worker, journalist, photographer, barista, architect, mechanic, therapist, data analyst, "
            "sales manager, firefighter, dentist, plumber, flight attendant, product manager, truck driver, carpenter, "
            "professor, real estate agent, veterinarian, counselor, pharmacist, waiter, cashier, developer, surgeon",
        },
    ),
    Topic(
        (
            "We went to {place} {when} with {who}, the {sight} was stunning.",
            "I'm flying to {place} {soon}, any tips?",
            "I just booked tickets to {place} with {who}!",
            "Our trip to {place} got cancelled because of the storm.",
            "I've always dreamed of visiting {place}.",
            "{place} was amazing, we spent hours at the {sight}.",
            "I got lost near the {sight} while travelling through {place}.",
        ),
        (
            "Where did {name} go on vacation?|afg",
            "When did {name} travel to {place}?|ab",
            "Who did {name} go to {place} with?|ac",
            "Which country or city has {name} visited?|afg",
            "What did {name} see in {place}?|afg",
            "Where is {name} planning to travel?|bc",
            "What places does {name} want to visit?|be",
            "What happened to {name}'s trip?|dg",
        ),
        {
            "sight": "old town, beach, waterfall, cathedral, night market, castle, national park, canyon, harbor, museum, "
            "volcano, temple, lighthouse, vineyard, glacier, desert, coral reef, rainforest, skyline, botanical garden",
        },
    ),
    Topic(
        (
            "I signed up for a {craft} class {when}, it's so relaxing.",
            "I've been into {craft} for {span} now.",
            "I finished my {craft} project {when}, it took {number} weeks.",
            "{craft} helps me calm down when I'm {feeling}.",
            "{who} taught me {craft} when I was a kid.",
            "I sold my first piece of {craft} at the fair {when}.",
            "Lately I spend every evening on {craft}.",
        ),
        (
            "What hobbies does {name} have?|abcdefg",
            "What does {name} do to relax?|adg",
            "What kind of class did {name} take?|a",
            "When did {name} sign up for the {craft} class?|a",
            "How does {name} de-stress?|ad",
            "What creative activities does {name} enjoy?|abcdefg",
            "Who taught {name} {craft}?|e",
            "How long has {name} been doing {craft}?|b",
            "What did {name} make?|cf",
        ),
        {
            "craft": "pottery, knitting, watercolor painting, woodworking, photography, calligraphy, sewing, embroidery, "
            "origami, sculpting, drawing, quilting, crochet, jewelry making, candle making, gardening, baking, scrapbooking, "
            "creative writing, oil painting, ceramics, model trains, leatherwork, printmaking, weaving",
        },
    ),
    Topic(
        (
            "I ran a {race} {when}, my legs are still sore.",
            "I've been training for a {race} {soon}.",
            "We won the {sport} game {when}, I scored twice!",
            "I joined a {sport} league with {who}.",
            "I hurt my {body} playing {sport} {when}.",
            "I go {exercise} every morning before work, it clears my mind.",
            "I took up {exercise} {when} to get in shape.",
            "My team lost the {sport} championship, I'm pretty {feeling}.",
        ),
        (
            "What sports does {name} play?|cdeh",
            "When did {name} run the {race}?|a",
            "What race did {name} take part in?|ab",
            "How does {name} stay fit?|bfg",
            "What exercise does {name} do?|fg",
            "How did {name} get injured?|e",
            "Which body part did {name} hurt?|e",
            "Did {name}'s team win the match?|ch",
            "What is {name} training for?|b",
        ),
        {
            "race": "marathon, half marathon, charity race, triathlon, 5k, 10k, relay, trail run, bike race",
            "sport": "soccer, basketball, tennis, volleyball, hockey, baseball, badminton, football, golf, rugby, cricket, "
            "softball, table tennis, lacrosse, water polo",
            "body": "knee, ankle, shoulder, back, wrist, elbow, hip, foot, neck, finger",
            "exercise": "running, swimming, cycling, hiking, rock climbing, yoga, pilates, kayaking, skiing, surfing, boxing, "
            "dancing, weightlifting, rowing, snowboarding, jogging, skateboarding, martial arts",
        },
    ),
    Topic(
        (
            "I made {dish} for dinner {when} and {who} loved it.",
            "I tried {dish} for the first time at a little restaurant {when}.",
            "{dish} is my favorite comfort food.",
            "I'm learning to cook {dish}, the first batch was a disaster.",
            "My {kin} used to make the best {dish}.",
            "I can't eat {allergen} anymore, the doctor says I'm allergic.",
            "I stopped eating {allergen} {when} and I feel much better.",
            "We brought {dish} to the potluck {when}.",
        ),
        (
            "What food does {name} like?|abce",
            "What did {name} cook?|ad",
            "What is {name}'s favorite meal?|c",
            "What is {name} allergic to?|f",
            "Which ingredients does {name} avoid?|fg",
            "Who used to make {dish} for {name}?|e",
            "What did {name} eat at the restaurant?|b",
            "What dish did {name} bring?|h",
            "Does {name} have any dietary restrictions?|fg",
        ),
        {
            "dish": "lasagna, sushi, tacos, pad thai, chicken soup, ramen, curry, pizza, dumplings, paella, grilled salmon, "
            "chocolate cake, apple pie, pancakes, risotto, falafel, banana bread, fried rice, meatballs, enchiladas, chili, "
            "cheesecake, gumbo, pho, vegetable stew, roast chicken, carbonara, ice cream, cookies, burgers, mac and cheese",
            "allergen": "peanuts, shellfish, gluten, dairy, eggs, soy, wheat, nuts, seafood, strawberries, lactose, meat, sugar",
            "kin": "grandmother, mother, father, aunt, grandfather, uncle, stepmom",
        },
    ),
    Topic(
        (
            "I was diagnosed with {illness} {when}, it's been hard.",
            "My {kin} is in the hospital with {illness}.",
            "The doctor put me on medication for my {illness}.",
            "I've been dealing with {illness} for {span}.",
            "I started therapy {when}, it helps with my {illness}.",
            "I had surgery {when} and the recovery is slow.",
            "I finally got over my {illness}, I feel like a new person.",
        ),
        (
            "What health problems does {name} have?|acdfg",
            "What illness was {name} diagnosed with?|acd",
            "Who in {name}'s family is sick?|b",
            "When did {name} have the operation?|f",
            "Why is {name} taking medicine?|c",
            "How is {name} coping with {illness}?|ceg",
            "What medical condition affects {name}?|acd",
        ),
        {
            "illness": "asthma, diabetes, migraines, anxiety, depression, arthritis, insomnia, pneumonia, high blood pressure, "
            "cancer, the flu, a broken leg, gastritis, vertigo, chronic pain, anemia, allergies, burnout, bronchitis, ADHD",
            "kin": "grandmother, mother, father, aunt, grandfather, uncle, brother, sister",
        },
    ),
    Topic(
        (
            "My {kin} passed away {when}. I miss {them} so much.",
            "I lost my {kin} {when} and I'm still grieving.",
            "We got married {when}, it was a small ceremony by the lake!",
            "I'm getting divorced, we have been separated for {span}.",
            "I'm pregnant! The baby is due {soon}.",
            "My {kin} had a baby {when}, I'm so {feeling}.",
            "I broke up with my {lover} {when}.",
            "My {lover} proposed {when} and I said yes!",
            "I'm single at the moment and focusing on myself.",
            "I have {number} kids and they keep me busy.",
            "I met my {lover} at a {venue} {when}.",
        ),
        (
            "Who in {name}'s family died?|ab",
            "What is {name}'s relationship status?|cdghi",
            "When did {name} get married?|c",
            "Is {name} married or dating someone?|cdghik",
            "How many children does {name} have?|j",
            "When is {name} expecting a child?|e",
            "Who had a baby?|f",
            "How did {name} meet the {lover}?|k",
            "When did {name} get engaged?|h",
            "Why did the relationship end?|dg",
            "When was {name}'s wedding?|c",
        ),
        {
            "kin": "grandmother, mother, father, aunt, grandfather, uncle, brother, sister, cousin",
            "them": "her, him, them",
            "lover": "boyfriend, girlfriend, fiancé, partner, husband, wife",
            "venue": "concert, coffee shop, wedding, conference, gym, bookstore, party, library, bar",
        },
    ),
    Topic(
        (
            "I've been reading {book} and I can't put it down.",
            "{who} gave me a copy of {book} {when}.",
            "I'm really into {genre} novels lately.",
            "We watched {book} {when}, the ending made me cry.",
            "My book club picked a {genre} story this month.",
            "That {genre} movie {when} was incredible, you should see it.",
            "I binged a {genre} series all weekend.",
        ),
        (
            "What book is {name} reading?|abe",
            "What kind of books does {name} enjoy?|ce",
            "Which movie did {name} watch?|df",
            "What is {name}'s favorite genre?|cefg",
            "Who gave {name} the book?|b",
            "What show has {name} been watching?|g",
            "What did {name} think of {book}?|ad",
        ),
        {
            "book": '"The Silent River", "Winter Letters", "Beyond the Orchard", "A Map of Rain", "The Last Lantern", "Paper '
            'Kingdoms", "Salt and Honey", "Night Train North", "The Glass Garden", "Becoming Whole", "Little Fires", "The '
            'Clockmaker", "Blue Horizon", "Tides of Memory", "The Fox and the Star", "Ordinary Heroes"',
            "genre": "mystery, fantasy, science fiction, romance, thriller, historical, horror, crime, biography, comedy, "
            "documentary, superhero, dystopian, classic, anime, self-help",
        },
    ),
    Topic(
        (
            "I'm learning to play the {instrument}, {who} is teaching me.",
            "I've played the {instrument} for {span}.",
            "We saw {band} live {when}, the crowd was wild!",
            "I can't stop listening to {music}.",
            "I wrote a song on my {instrument} {when}.",
            "Our band has a gig {soon}, I'm on {instrument}.",
            "{music} always cheers me up when I feel {feeling}.",
        ),
        (
            "What instrument does {name} play?|abef",
            "What music does {name} like?|dg",
            "Which concert did {name} go to?|c",
            "What band did {name} see live?|c",
            "When is {name} performing?|f",
            "Who teaches {name} music?|a",
            "How long has {name} played the {instrument}?|b",
            "What songs or artists does {name} listen to?|dg",
        ),
        {
            "instrument": "guitar, piano, violin, drums, cello, flute, saxophone, ukulele, trumpet, bass, harp, clarinet, banjo, "
            "accordion, harmonica, keyboard",
            "band": "the Velvet Owls, Crimson Harbor, Paper Moons, Silver Anchor, the Midnight Parade, Stone Orchard, Neon Tide",
            "music": "jazz, classical music, hip hop, indie rock, country songs, heavy metal, blues, folk music, K-pop, reggae, "
            "electronic music, old soul records, Bach, Mozart, the opera, gospel",
        },
    ),
    Topic(
        (
            "We just moved into a new {home} in {place}.",
            "I moved to {place} from {place2} {when}.",
            "I grew up in {place2} but I live in {place} now.",
            "We're buying a {home}, the closing is {soon}.",
            "My landlord raised the rent, so I'm looking for a {home}.",
            "We're renovating the {room}, there is dust everywhere.",
            "I painted the {room} {color} {when}.",
            "The pipes burst and flooded our {room} {when}.",
        ),
        (
            "Where does {name} live?|abc",
            "Where did {name} move from?|b",
            "When did {name} move to {place}?|ab",
            "Where is {name} originally from?|bc",
            "What kind of home does {name} have?|ad",
            "What is {name} renovating?|fg",
            "What color is {name}'s {room}?|g",
            "What damage happened to {name}'s house?|h",
            "What is {name}'s home country?|bc",
        ),
        {
            "home": "apartment, house, studio, cottage, condo, townhouse, loft, farmhouse, cabin",
            "place2": "Sweden, Ohio, Brazil, Poland, Manila, Lagos, Alaska, Michigan, Cairo, Vietnam, Italy, Jamaica, Spain",
            "room": "kitchen, bathroom, basement, bedroom, garage, attic, living room, nursery, porch, backyard",
            "color": "blue, yellow, green, sage, white, lavender, gray, turquoise, red, pink, orange",
        },
    ),
    Topic(
        (
            "I'm studying {subject} at the university.",
            "I got accepted into the {subject} program!",
            "I failed my {subject} exam {when}, I'm so {feeling}.",
            "I graduated with a degree in {subject} {when}.",
            "I'm taking an online course in {subject}.",
            "My thesis on {subject} is due {soon}.",
            "I want to go back to school for {subject}.",
            "I won a scholarship to study {subject}.",
        ),
        (
            "What did {name} study?|adfh",
            "What is {name}'s major?|abf",
            "What degree does {name} have?|d",
            "When did {name} graduate?|d",
            "What field would {name} like to pursue in education?|bgh",
            "What course is {name} taking?|e",
            "How did {name} do on the test?|c",
            "What subject does {name} find hard?|c",
        ),
        {
            "subject": "psychology, biology, computer science, nursing, history, economics, chemistry, education, philosophy, "
            "engineering, art history, marketing, law, physics, statistics, social work, Spanish, French, Mandarin, film, "
            "mathematics, counseling, public health, machine learning, journalism, astronomy",
        },
    ),
    Topic(
        (
            "I volunteered at the {cause} {when}, it was so rewarding.",
            "We organized a fundraiser for the {cause} {when}.",
            "I gave a speech about {issue} at a school {when}.",
            "I joined a support group for {issue} {when}.",
            "I marched for {issue} {when} with {who}.",
            "I donate to the {cause} every month.",
            "I started a nonprofit to help people with {issue}.",
            "I mentor kids at the {cause} on weekends.",
        ),
        (
            "Where does {name} volunteer?|ah",
            "What charity does {name} support?|bf",
            "When did {name} give a talk?|c",
            "What causes does {name} care about?|cdeg",
            "How does {name} help the community?|abfgh",
            "What group did {name} join?|d",
            "When did {name} go to the support group?|d",
            "What event did {name} organize?|b",
            "What was {name}'s speech about?|c",
        ),
        {
            "cause": "homeless shelter, food bank, animal shelter, youth center, hospital, refugee center, senior home, library, "
            "community garden, orphanage, soup kitchen, veterans' home, beach cleanup, recycling center",
            "issue": "climate change, mental health, domestic violence, gay rights, racial equality, adoption, addiction, "
            "gender identity, disability rights, immigration, hunger, women's rights, education, cancer research",
        },
    ),
    Topic(
        (
            "I bought a {thing} {when}, it cost a fortune.",
            "{who} gave me a {thing} for my birthday.",
            "I lost my {thing} {when}, I've looked everywhere.",
            "My {thing} broke {when}, so annoying.",
            "Somebody stole my {thing} {when}.",
            "This {thing} belonged to my grandmother, it reminds me of home.",
            "I'm saving up for a new {thing}.",
            "I returned the {thing} because it was the wrong size.",
        ),
        (
            "What did {name} buy?|a",
            "What present did {name} receive?|b",
            "Who gave {name} the {thing}?|b",
            "What was stolen from {name}?|e",
            "What did {name} lose?|c",
            "What item has sentimental value for {name}?|f",
            "What is {name} saving money for?|g",
            "What broke?|d",
            "Why did {name} return the {thing}?|h",
            "When did {name} purchase the {thing}?|a",
        ),
        {
            "thing": "necklace, laptop, bicycle, camera, car, phone, watch, jacket, suitcase, sofa, ring, backpack, telescope, "
            "guitar, tent, scarf, sewing machine, motorcycle, wallet, headphones, painting, mug, dress, pair of boots, "
            "tablet, vase, blanket, drone, rug, coffee machine, desk, record player, wedding band",
        },
    ),
    Topic(
        (
            "We went {outing} with {who} {when}, the weather was perfect.",
            "We saw a {wild} while {outing} {when}!",
            "We're going {outing} {soon}, the kids can't wait.",
            "We roasted marshmallows and told stories around the fire {when}.",
            "I love watching the sunset from the {spot}.",
            "{outing} with {who} is our favorite family tradition.",
            "I planted {plant} in the garden {when} and they're already growing.",
            "The meteor shower from the {spot} made me feel so small.",
        ),
        (
            "When is {name} going {outing}?|c",
            "What does {name} do with family outdoors?|acf",
            "What animal did {name} see?|b",
            "What activities has {name} done with family?|acdf",
            "Where does {name} watch the sunset?|e",
            "What does {name} grow in the garden?|g",
            "What did {name} do around the campfire?|d",
            "What nature experience impressed {name}?|h",
            "Who did {name} go {outing} with?|af",
        ),
        {
            "outing": "camping, fishing, hiking, canoeing, birdwatching, apple picking, sledding, stargazing, sailing, horseback "
            "riding, beachcombing, ice skating, mushroom hunting, on a picnic, bike riding, snorkeling",
            "wild": "bear, deer, eagle, whale, fox, moose, dolphin, owl, hummingbird, snake, raccoon, seal, wolf, rainbow",
            "spot": "beach, mountain top, lake, pier, rooftop, cliff, forest, park, meadow, river",
            "plant": "tomatoes, roses, sunflowers, basil, tulips, strawberries, peppers, lavender, pumpkins, herbs, orchids",
        },
    ),
    Topic(
        (
            "We celebrated {party} {when}, everyone was there.",
            "I'm planning a party for {party}, it's a surprise.",
            "{who} came over for {party} and we played {game} all night.",
            "I won a {game} tournament {when}!",
            "We play {game} every Thursday.",
            "I've been playing {game} online with a guy from Norway.",
            "{party} was quiet, just me and {who}.",
        ),
        (
            "What did {name} celebrate?|ag",
            "When was the party?|a",
            "What games does {name} play?|cdef",
            "How did {name} spend {party}?|acg",
            "What tournament did {name} win?|d",
            "What does {name} do on Thursdays?|e",
            "Who came over to {name}'s place?|c",
            "Who did {name} celebrate with?|cg",
        ),
        {
            "party": "my birthday, Thanksgiving, Christmas, New Year's Eve, our anniversary, my graduation, Halloween, Diwali, "
            "Easter, Hanukkah, the baby shower, my promotion, the Fourth of July, Lunar New Year",
            "game": "chess, poker, board games, Scrabble, video games, Dungeons and Dragons, trivia, Monopoly, bingo, a racing "
            "game, a strategy game, an adventure game, charades, bowling, darts, a shooter",
        },
    ),
    Topic(
        (
            "I opened my own {shop} {when}, the first customers came already!",
            "My {shop} is struggling, I may have to close it.",
            "I found investors for the {shop} I want to start.",
            "I signed a lease for the {shop} {when}.",
            "I launched an ad campaign for my {shop} {when}.",
            "I made a website for the {shop} with {who}.",
            "Sales at the {shop} doubled {when}.",
            "I want to expand the {shop} {soon} and hire {number} people.",
        ),
        (
            "What business does {name} run?|abh",
            "When did {name} open the {shop}?|a",
            "How is {name}'s business doing?|bg",
            "How does {name} promote the {shop}?|ef",
            "What did {name} do to attract customers?|ef",
            "Who invested in {name}'s company?|c",
            "What are {name}'s plans for the {shop}?|bch",
            "Why did {name} start a business?|a",
        ),
        {
            "shop": "bakery, dance studio, clothing store, coffee shop, startup, food truck, bookstore, flower shop, gym, tattoo "
            "parlor, photography studio, restaurant, car repair shop, online store, salon, toy store, brewery",
        },
    ),
    Topic(
        (
            "My {device} keeps {fault}, I tried restarting it.",
            "I set up {tool} on my {device} {when}.",
            "I'm building an app with {tool}, the deadline is {soon}.",
            "We switched from {tool} to {tool2} because it was faster.",
            "The deploy failed {when} because of a bug in the {part}.",
            "I prefer {tool} over {tool2} for my projects.",
            "We decided to use {tool2} for the {part}.",
            "I need to fix the {part} before the demo {soon}.",
        ),
        (
            "What is wrong with {name}'s {device}?|a",
            "Which technology does {name} use?|bcdfg",
            "What tool did {name} choose for the {part}?|g",
            "Why did the release break?|e",
            "When is {name}'s project due?|ch",
            "What software does {name} prefer?|f",
            "What is {name} developing?|c",
            "Why did they move away from {tool}?|d",
            "Which database or framework did we pick?|dg",
        ),
        {
            "device": "laptop, phone, printer, router, tablet, desktop, server, TV, smartwatch, keyboard",
            "fault": "freezing, overheating, crashing, losing the connection, rebooting, showing an error, running out of storage",
            "tool": "PostgreSQL, React, Docker, Python, Excel, Linux, Kubernetes, Redis, Flask, Django, MySQL, Rust, TypeScript",
            "tool2": "SQLite, Vue, GraphQL, Java, Notion, MongoDB, Go, FastAPI, Terraform, Kafka, Swift, AWS, Azure, Node",
            "part": "login page, payment module, database, search index, API, dashboard, cache, test suite, user interface, "
            "authentication, data pipeline, mobile app, backup, error handling, message queue",
        },
    ),
    Topic(
        (
            "I need {amount} dollars for the {bill}, money is tight.",
            "I paid off my {bill} {when}, what a relief!",
            "My budget for the {bill} is {amount} dollars.",
            "I started saving {amount} a month for the {bill}.",
            "They charged me {amount} for the {bill} by mistake.",
            "I owe {who} {amount} dollars.",
        ),
        (
            "How much does {name} need for the {bill}?|ac",
            "What is {name}'s budget?|c",
            "What debt did {name} pay back?|b",
            "What is {name} saving for?|d",
            "How much money does {name} owe?|f",
            "What financial trouble does {name} have?|a",
            "How much was {name} charged?|e",
        ),
        {
            "amount": "200, 1,500, 40, 75, 3,000, 12,000, 900, 250, 600, 5,000, 85",
            "bill": "car loan, rent, student loan, mortgage, electricity bill, down payment, dental work, wedding, insurance, "
            "credit card, taxes, tuition, new roof, vacation",
        },
    ),
    Topic(
        (
            "Please always {style} when you answer me.",
            "I prefer {seat} seats when I fly.",
            "I don't drink {drink}, so I'll take {drink2} instead.",
            "I always take my {drink2} black, no sugar.",
            "From now on call me {nick}.",
            "I'd rather meet in the {daytime}, I'm not at my best earlier.",
            "I usually stay in {lodging} rather than {lodging2} when I travel.",
            "My favorite color is {color} and I hate {color2}.",
            "I can't stand {noise} when I'm working.",
        ),
        (
            "How does {name} want answers to be written?|a",
            "Which seat does {name} prefer on a plane?|b",
            "What does {name} like to drink?|cd",
            "What should {name} be called?|e",
            "What time of day suits {name} for meetings?|f",
            "Where does {name} like to stay on trips?|g",
            "What is {name}'s favorite color?|h",
            "What annoys {name}?|i",
            "What are {name}'s preferences?|abdfg",
            "Does {name} drink {drink}?|c",
        ),
        {
            "style": "be brief, use bullet points, show examples, use metric units, explain step by step, write in a formal "
            "tone, cite sources, avoid emojis, reply in French, keep it simple, use type hints",
            "seat": "aisle, window, exit row, front",
            "drink": "alcohol, coffee, milk, soda, beer, wine",
            "drink2": "tea, espresso, water, juice, lemonade, oat milk, decaf",
            "nick": "Sam, Ace, Doc, Lee, Captain, Kit, Jo, Mac",
            "daytime": "afternoon, evening, late morning, night",
            "lodging": "hostels, boutique hotels, rented apartments, campsites, bed and breakfasts",
            "lodging2": "big chains, resorts, motels, shared rooms",
            "color": "teal, purple, navy, red, yellow, emerald",
            "color2": "beige, brown, pink, orange, gray",
            "noise": "loud music, chatter, phone calls, barking dogs, construction noise, notifications",
        },
    ),
    Topic(
        (
            "I was in a {accident} {when}, thankfully nobody was hurt.",
            "There was a {disaster} in our town {when}, we lost power for days.",
            "The {disaster} destroyed our {room} {when}.",
            "I got a ticket for {offence} {when}.",
            "The police came {when} because of {offence} next door.",
            "I had to evacuate because of the {disaster}.",
            "I missed my flight {when} because of a {accident} on the highway.",
        ),
        (
            "What accident did {name} have?|ag",
            "What natural disaster hit {name}'s area?|bcf",
            "Why did {name} have to leave home?|f",
            "When did the {disaster} happen?|bc",
            "Why did {name} get a fine?|d",
            "What emergency did {name} go through?|acf",
            "Why did {name} miss the plane?|g",
        ),
        {
            "accident": "car accident, bike crash, fender bender, collision, pileup",
            "disaster": "flood, hurricane, wildfire, earthquake, tornado, blizzard, storm, landslide, heat wave",
            "offence": "speeding, parking, loud music, a burglary, a fight, running a red light",
            "room": "garage, fence, roof, shed, barn, greenhouse, windows",
        },
    ),
    Topic(
        (
            "My goal for this year is to {goal}.",
            "I finally managed to {goal} {when}!",
            "I want to {goal} but I keep procrastinating.",
            "{who} inspired me to {goal}.",
            "I'm {feeling} about my plan to {goal}.",
            "It took me {span} to {goal}.",
            "I promised {who} that I would {goal}.",
        ),
        (
            "What are {name}'s goals?|ace",
            "What did {name} achieve?|bf",
            "What does {name} plan to do in the future?|ace",
            "Who inspired {name}?|d",
            "What resolution did {name} make?|ag",
            "What is {name} working towards?|ace",
            "How long did it take {name} to {goal}?|f",
            "What did {name} promise?|g",
        ),
        {
            "goal": "learn Spanish, write a novel, quit smoking, lose weight, run a marathon, buy a house, adopt a child, start "
            "a podcast, get a driver's license, save more money, publish my poems, sleep eight hours, meditate every day, read "
            "fifty books, build a treehouse, learn to swim, start a blog, record an album, retire early, drink less coffee, "
            "get certified as a coach, sail around the island, make a short film, open a school",
        },
    ),
    Topic(
        (
            "My {symbol} stands for {meaning} to me.",
            "I got a tattoo of a {symbol} {when}, it represents {meaning}.",
            "I keep a {symbol} on my desk as a reminder of {meaning}.",
            "{who} made me a {symbol} to celebrate {meaning}.",
            "I painted a {symbol} {when}, it's about {meaning}.",
            "The {symbol} in my picture shows {meaning}.",
        ),
        (
            "What does {name}'s {symbol} symbolize?|abf",
            "What tattoo does {name} have?|b",
            "What reminds {name} of {meaning}?|c",
            "What did {name} paint?|ef",
            "Why is the {symbol} important to {name}?|acd",
            "What did {who3} make for {name}?|d",
            "What art has {name} created?|ef",
        ),
        {
            "symbol": "phoenix, rainbow, sunflower, butterfly, anchor, oak tree, compass, sunrise, heart, mountain, feather, "
            "lotus, horse, stained glass window, lighthouse, bowl, dragon, rose, moon, eagle, bridge",
            "meaning": "freedom, courage, hope, my roots, family, strength, new beginnings, acceptance, love, change, faith, "
            "friendship, self-expression, healing, patience, home, joy",
            "who3": "a friend, the family, a sister, a partner",
        },
    ),
)

OPENERS = (
    "Hey {other}!, Hi {other} how are you?, Thanks {other}!, That's great {other}!, Wow {other}, Long time no see {other}!, "
    "So sorry to hear that {other}., Good to hear from you {other}., Aww thank you {other}!, Yeah definitely., No way!, "
    "Totally agree {other}., Guess what {other}!, Oh nice!, Haha yes!, Not much honestly., It's been a crazy week., "
    "Congrats {other}!, You're right {other}., I appreciate it {other}., Hello!, I was wondering., Quick update., By the way."
)
CLOSERS = (
    "What about you?, How was your weekend?, It means a lot to me., I'm so excited!, Any advice?, Can't wait to tell you more., "
    "Have you ever tried that?, Let me know what you think., It was so much fun., Anyway how are things?, Talk soon!, Take "
    "care!, What do you think?, I'm really thankful., That made my day., Here's a photo., Life is good., Wish me luck!, Do you "
    "have plans?, I could use a break., What have you been up to?, Keep me posted., You should join next time!, Crazy right?"
)
REPLIES = (
    "That sounds amazing {other}!, How did it go {other}?, Tell me more!, Wow I had no idea., Congratulations {other}!, I'm "
    "happy for you., That must have been tough {other}., What made you decide that?, Sounds like a lot of fun!, What's new "
    "{other}?, How have you been?, When did that happen?, I'm proud of you {other}., Good luck with that!, Is everything "
    "okay {other}?, Cool what else is going on?, Nice picture {other}!, Keep going {other} you can do it., Who was there?"
)


def split(things: str) -> list[str]:
    """Cut a list at its commas; a comma inside quotation marks or a number stays."""
    return [one.strip() for one in things.split(", ")]


@dataclass(frozen=True)
class Exchange:
    """A line as it was said, with a question about it and the line before it."""

    topic: int
    letter: str  #: the line's, in its topic
    answers: (
        str  #: the letters of all lines of the topic that the question could mean; none if it names its thing
    )
    name: str
    day: str
    before: str
    line: str
    question: str

    def texts(self, random: Random) -> str:
        """Write the line in one of the ways in which a memory holds it."""
        said = f"{self.name}: {self.line}"
        return random.choice(
            (
                self.line,
                said,
                f"[{self.day}] {said}",
                f"[{self.day}] {said}",
                f"[{self.day}] {self.before} {said}",
                f"{self.before} {said}",
            )
        )


class Dialogues:
    """A maker of exchanges; the same seed makes the same ones."""

    def __init__(self, random: Random, names: list[str]) -> None:
        self.random = random
        self.names = names
        self.common = {key: split(value) for key, value in COMMON.items()}
        self.topics = [
            {**self.common, **{key: split(value) for key, value in topic.things.items()}} for topic in TOPICS
        ]
        self.openers, self.closers, self.replies = split(OPENERS), split(CLOSERS), split(REPLIES)

    def exchange(self, names: list[str] | None = None) -> Exchange:
        """Make a line and a question that it answers: they share a thing, or nothing but the subject."""
        random = self.random
        number = random.randrange(len(TOPICS))
        topic = TOPICS[number]
        name, other = random.sample(names or self.names, 2)
        values = {key: random.choice(among) for key, among in self.topics[number].items()}
        values |= {"name": name, "other": other}
        letter = random.choice(sorted({letter for _, _, answers in topic.asked() for letter in answers}))
        template = topic.lines[ascii_lowercase.index(letter)]
        fitting = [(asked, answers) for asked, _, answers in topic.asked() if letter in answers]
        specific = [(asked, "") for asked, _ in fitting if any(f"{{{key}}}" in asked for key in topic.things)]
        question, answers = random.choice(specific if specific and random.random() < 0.3 else fitting)
        line = template.format(**values)
        line = line[0].upper() + line[1:]
        if random.random() < 0.6:
            line = f"{random.choice(self.openers).format(**values)} {line}"
        if random.random() < 0.6:
            line = f"{line} {random.choice(self.closers).format(**values)}"
        before = f"{other}: {random.choice(self.replies).format(other=name)}"
        return Exchange(number, letter, answers, name, self.day(), before, line, question.format(**values))

    def day(self) -> str:
        """Write some day in one of the ways in which a memory holds it."""
        random = self.random
        when = date(2019, 1, 1) + timedelta(days=random.randrange(3000))
        clock = f"{random.randint(1, 12)}:{random.randint(0, 59):02d} {random.choice(('am', 'pm'))}"
        return random.choice(
            (
                f"{clock} on {when.day} {when:%B}, {when.year}",
                f"{when.day} {when:%B} {when.year}",
                when.isoformat(),
                f"{when:%A}, {when:%d %B %Y}",
            )
        )
