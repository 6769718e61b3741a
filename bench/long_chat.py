# ruff: noqa: E501  # the chat is a table, a line a topic
"""Chats with long answers, made up by hand: whose questions avoid the words of what answers them.

`long_chat` is one chat of 96 questions. `long_chats` are five, of 60 questions each: a message of the user answers, an
answer of the assistant does, or both together do; every second question comes in a long message of its own. Answers are
up to 600 words long, say again what the user said, and speak of the matter in the words of the questions.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np

from bethink.evals.cases import Conversation, Question, Turn, question, turn

# topic; what the user says; how it is asked about; what the assistant's answer has in it; how that is asked about
LONG_CHAT = """
garden|My tomatoes keep getting yellow leaves at the bottom.|What is wrong with the vegetables I grow?|Spray a spoon of baking soda in a litre of water every ten days.|What mixture did you tell me to put on the plants?
sleep|I wake at three most nights and scroll until five.|What do I do when I cannot get back to bed rest?|Leave the telephone in the hallway inside a drawer.|Where should my mobile stay overnight?
running|My knee aches after ten kilometres on asphalt.|Which joint hurts when I jog?|Shorten the stride until you count one hundred and seventy steps a minute.|What cadence did you recommend?
guitar|I bought a used nylon string instrument from my neighbour.|Who sold me the thing I play music on?|Practise the chord change from F to C with a metronome at sixty beats.|At what tempo should I rehearse the switch?
tax|I forgot to declare the rent from the attic flat.|What income did I leave out of my return?|File an amended declaration before the end of September.|When is the deadline for the correction?
dog|Our terrier barks whenever the doorbell rings.|What sets off the pet's noise?|Throw a treat onto his blanket each time someone knocks.|How do I reward the animal when visitors arrive?
bread|The sourdough came out flat and gummy again.|What went wrong with my baking?|Let the dough rest at twenty six degrees until it has doubled.|How warm should it be while it rises?
spanish|I mix up the two past tenses all the time.|Which grammar do I find confusing?|Write five sentences about yesterday every evening before dinner.|What homework did you give me for the language?
camera|The pictures of my daughter indoors are blurry.|Why am I unhappy with my photography?|Set the shutter to one two-hundredth and let the sensitivity float.|Which exposure time should I choose?
bike|The chain slips when I climb the hill to work.|What is the matter with my two-wheeler?|Replace the cassette together with the chain.|Which parts need to be swapped?
budget|We spend six hundred a month on takeaway food.|How much do we pay for restaurant delivery?|Move the grocery money to a separate account on payday.|What should happen to the household funds when the salary comes in?
interview|I freeze when they ask about my weaknesses.|Which question makes me nervous in job talks?|Tell the story of the delayed warehouse project and what changed.|Which anecdote should I use?
flight|I get sick on small propeller aircraft.|What kind of plane makes me unwell?|Choose a seat over the wing and look at the horizon.|Where ought I to sit when I travel by air?
paint|The bathroom ceiling peels each winter.|What is coming off in the wet room?|Use a primer against mould before the second coat.|What goes on first so that the fungus stays away?
chess|I always lose endgames with rooks.|In which part of the board game am I weak?|Study the Lucena position until you can win it blindfold.|Which pattern did you want me to learn by heart?
baby|Our son refuses the bottle since Tuesday.|What will the infant not drink from?|Offer the milk in a small open cup at room temperature.|How can we give him his feed instead?
router|The internet drops in the back bedroom.|Where in the house is the connection poor?|Put the second access point on channel eleven near the stairs.|Which frequency slot should the extra device use?
wedding|My sister wants ninety guests but we can pay for fifty.|What do I disagree about with my sibling?|Invite the colleagues to a garden party in June instead.|What is the alternative for people from work?
allergy|Walnuts make my tongue swell.|What food am I sensitive to?|Carry two auto injectors and show a friend how they work.|What must I have on me in an emergency?
thesis|My supervisor thinks the third chapter is too descriptive.|What criticism did the professor have?|Open each section with the claim it defends.|How should the parts begin?
car|The dashboard shows an orange engine light since the car wash.|What warning appeared in my vehicle?|Dry the ignition coils and read the code with a cheap scanner.|What tool tells me the fault?
piano|The upstairs neighbours complain about my evening practice.|Who is annoyed by my playing?|Hang a thick rug behind the instrument and stop at eight.|What should I put up to dampen the sound?
move|We leave Ghent for Porto in the spring.|Which city are we relocating to?|Sell the wardrobe and ship only the books by sea.|Which belongings should travel by boat?
knitting|The sleeves of the cardigan turned out four centimetres too long.|What is wrong with the garment I made?|Unravel to the elbow and decrease every sixth row.|How often do I remove stitches?
"""
FILLER = """
There are several things worth keeping in mind about {t}, and most people discover them only after a while.
It helps to look at {t} from a distance first, and then to go through the details one at a time.
Many guides on {t} disagree with each other, so treat every rule as a starting point rather than a law.
If you have little time, a small step every day does more for {t} than a big effort once a month.
Keep a short record of what you tried, because memory is kinder than the facts.
A good question to ask yourself is what would have to change for {t} to feel easy.
Do not worry if the first attempt fails; that is how everybody learns.
You might also talk with somebody who has been through the same, since experience saves a lot of trouble.
Cost is rarely the main problem with {t}; patience usually is.
On the other hand, there are situations in which doing nothing is the best choice for now.
Make a list, put the important points on top, and cross them out as you go.
Some people like to plan everything about {t} in advance, others prefer to find out along the way.
Remember to take breaks, and to be realistic about what can be done in a week.
In general, quality matters more than quantity, and that is true of {t} as well.
If things get worse in spite of all this, it is wise to ask a professional for advice.
Finally, let me know how it goes, and we can adjust the plan for {t} together.
"""


MORE = """
migration|Our orders table locks for forty seconds whenever we add a column.|What goes wrong in the database when we change its layout?|Create the index concurrently in a release of its own before the column is filled.|Which preparation did you want deployed separately?
dashboard|The sales chart shows March twice since the clocks changed.|Which error is in the graph of revenues?|Group by the date in the shop's own zone and not by the server's.|By whose calendar should the days be summed up?
interviewing|I hired two people who left within ninety days.|What happened with the staff I took on?|Ask each candidate to walk through an incident they caused themselves.|What are applicants to tell about?
compost|The heap smells of ammonia and is full of flies.|What is unpleasant about the pile of kitchen waste?|Mix in torn egg cartons until it feels like a wrung out sponge.|Which dry material goes in, and how moist should it be?
marathon|I hit the wall at thirty two kilometres both times.|When do I run out of strength in the long race?|Swallow a gel every twenty five minutes from the very start.|How often should I take in sugar on the way?
landlord|He wants to keep the deposit because of a scratched hob.|Why will the owner of the flat not give back my money?|Send a registered letter that names the handover protocol and sets fourteen days.|What do I post to him, and how long does he get?
violin|My bow arm trembles in slow passages.|What is the trouble with my string playing?|Play open strings with the elbow resting against a door frame.|How do I practise so that the limb stays calm?
invoice|A client in Lyon has not paid the third reminder.|Who owes me for my work abroad?|Start the European order for payment with form A at their local court.|Which procedure would get the sum from the debtor?
toddler|She throws her plate as soon as she sees broccoli.|What does the little one do at meals with vegetables?|Serve one spoonful of it beside pasta and say nothing about it.|How much of the disliked food goes on the table, and with what comment?
sauna|The heater trips the fuse after twenty minutes.|What fails when we want to sweat at home?|Have the three phases measured separately by an electrician.|What is the specialist to check in the supply?
novel|My editor says the detective solves the case too early.|What complaint is there about the plot of my book?|Move the confession of the gardener behind the funeral chapter.|Which scene has to come later, and after what?
drone|It drifts to the left over concrete but not over grass.|On which ground does my aircraft fail to hover in place?|Recalibrate the compass at least thirty metres from reinforced buildings.|How far from structures should the sensor be set up again?
cheese|The rind of my tomme turned pink in the second week.|What colour did the thing in the cellar take on?|Wipe it with brine of three percent and lower the humidity to eighty five.|With what should it be washed, and how damp may the air be?
podcast|Listeners hear my breathing louder than my guest.|What annoys the audience of my show?|Angle the microphone forty five degrees and add a gate at minus thirty eight.|How do I position the recording device and which threshold do I set?
visa|My passport expires five months after the trip to Vietnam.|Why might they refuse me at the border in Asia?|Renew it by the express counter before you book the hotel.|What comes first, and at which desk?
insulation|There is mould behind the wardrobe on the north wall.|What did we discover in the bedroom?|Pull the furniture ten centimetres away and put calcium silicate boards behind it.|Which panels are to be mounted, and what gap is needed?
swimming|I swallow water whenever I breathe on my right.|On which side do I have problems in the pool?|Keep one goggle below the surface and roll with the hip.|What stays under while I get air?
aquarium|Three neon tetras died after I cleaned the filter.|Which pets did I lose after maintenance?|Rinse the sponge in a bucket of tank water and never under the tap.|In what may the part be washed?
pension|I have a gap of four years from my time in Canada.|Which period is missing from my retirement record?|Apply for totalisation with form CA slash D one.|By which application can foreign years be counted in?
sculpture|The clay cracks at the neck each time I fire it.|Where does my pottery break in the kiln?|Hollow the head to two centimetres and dry it under plastic for ten days.|How thin must it be, and how slowly does it lose moisture?
debate|My students only read their notes aloud.|What do the pupils do wrong when they argue?|Let them speak from three drawn symbols and a stopwatch.|What may they use instead of paper?
kayak|Water collects behind my seat in waves.|Where does my boat take in the sea?|Seal the skeg cable with marine silicone from the inside.|Which opening needs filling, and with what?
kimchi|The jar stopped bubbling after one day and is very salty.|What is odd about my fermented cabbage?|Add a grated pear and leave it at eighteen degrees.|Which fruit revives it, and how warm should it stand?
choir|The tenors are flat in the last movement.|Which singers do not hold the pitch?|Rehearse the ending first and transpose it up a semitone.|In what order and key do we practise?
allotment|Deer ate the tops of my beans last night.|What did wild animals do to my crops?|Stretch two rows of fishing line at sixty and one hundred twenty centimetres.|At what heights should the barrier run?
mortgage|The bank offers four point one percent for ten years.|What interest would my home loan have?|Ask for a clause that lets you repay five percent a year early.|Which right should be written into the contract?
backpack|The hip belt rubs my left side raw.|What hurts me on hikes?|Loosen the load lifters and shift the tent to the right.|How is the luggage to be rearranged?
latex|The bibliography prints every title in capitals.|What looks wrong in the references of my paper?|Wrap the field in double braces in the source file.|Which characters keep the letters as typed?
parrot|He plucks his breast feathers since we moved.|What does my bird do to himself?|Give him a shower every morning and a shreddable palm toy.|What kind of plaything and routine does he need?
espresso|The shot runs through in twelve seconds.|How quickly does my coffee come out?|Grind two steps finer and use nineteen grams.|Which dose and setting would slow it?
quilt|The corners of my stars never meet.|What is imprecise in my patchwork?|Sew with a scant quarter inch and press the seams open.|Which margin and ironing make it match?
crm|Half of our contacts appear under two spellings.|What is messy in our customer list?|Match on the normalised telephone number before you merge anything.|By which field do we detect the same person?
darts|My third arrow always lands low.|Which throw is weak in my pub sport?|Shift your grip three millimetres back after the second one.|How do I change the hold, and when?
beehive|The queen has not laid since the storm.|What stopped in my colony after bad weather?|Unite them with the small swarm through a sheet of newspaper.|How can the two families be joined?
greenhouse|The seedlings fall over at soil level.|What happens to my young plants?|Sow in sterile perlite and run a fan for two hours a day.|In what should they germinate, and how is the air moved?
stairs|The fourth step creaks when my wife comes home late.|Which noise wakes me at night?|Drive two screws at an angle through the tread into the riser.|What fixes the wood, and how is it put in?
"""
ECHO = """
As you say: {told} That is more common than one would think.
You wrote that {told} Let us take it from there.
Thank you for telling me. {told} I have seen this with many others.
"""
ABOUT = """
What people call {a} is rarely the whole story, and it may look quite different after a month.
I would not think about {b} before the basics are in place, whatever you read elsewhere.
With {a} it is the same as with {b}: the order of the steps matters more than the steps.
If somebody promises a quick answer about {b}, be careful, because there are always exceptions.
"""
LEADS = """
I am putting together a short note for my partner about everything we talked over in the last weeks, and there is one detail about {t} that I cannot place any more, so please help me out here.
Sorry to come back to this, I know that we have been through it, but I was interrupted when we spoke about {t} and now I have to explain it to somebody else on the phone.
I was looking through my calendar this morning and remembered our conversation about {t}; I would like to write it down properly this time before it gets lost again.
Could you look back at what we discussed about {t} some time ago? I have to decide something today, and before I do I would like to be sure of one thing.
"""
CHATS = 5


def long_chats() -> list[Conversation]:
    """Make up five chats, each with questions on twelve topics of its own."""
    topics = [*LONG_CHAT.strip().splitlines(), *MORE.strip().splitlines()]
    return [_chat(number, topics[number::CHATS]) for number in range(CHATS)]


def _chat(number: int, topics: list[str]) -> Conversation:
    chance = np.random.default_rng(100 + number)
    filler, abouts = FILLER.strip().splitlines(), ABOUT.strip().splitlines()
    turns: list[Turn] = []
    questions: list[Question | None] = []

    def say(day: int, place: int, role: str, text: str) -> str:
        at = datetime(2024, 2, 1, 9, tzinfo=UTC) + timedelta(days=day, minutes=3 * place)
        turns.append(turn(f"D{day}:{place}", f"s{day}", place, text, role=role, at=at))
        return turns[-1].id

    def answer(least: int, words: dict[str, str]) -> list[str]:
        drawn = chance.permutation([*filler, *filler, *abouts])[: int(chance.integers(least, 36))]
        return [str(one).format(**words) for one in drawn]

    for day, line in enumerate(topics, start=1):
        topic, told, asked, advice, again = line.split("|")

        words = {"t": topic, "a": max(asked.split(), key=len), "b": max(again.split(), key=len)}
        opening = f"I need some help with {topic}. {told} What would you do?" if day % 2 else told
        first = say(day, 1, "user", opening)
        body = answer(12, words)
        echo = ECHO.strip().splitlines()[int(chance.integers(0, 3))].format(told=told)
        middle = int(chance.integers(2, len(body)))
        second = say(day, 2, "assistant", " ".join([echo, *body[:middle], advice, *body[middle:]]))
        say(day, 3, "user", f"Thanks. And what if that does not work out with {topic}?")
        say(day, 4, "assistant", " ".join(answer(8, words)))
        if chance.integers(0, 2):
            say(day, 5, "user", "I see. Is there anything I should read about it?")
            say(day, 6, "assistant", " ".join(answer(8, words)))
        lead = LEADS.strip().splitlines()[day % 4].format(t=topic)
        questions += [
            question(asked, "told", [first], turns),
            question(again, "advised", [second], turns),
            question(f"{lead} {asked}", "told, long", [first], turns),
            question(f"{lead} {again}", "advised, long", [second], turns),
            question(f"{asked} {again}", "both", [first, second], turns),
        ]
    return Conversation(
        f"long {number + 1}", tuple(turns), tuple(one for one in questions if one is not None)
    )


def long_chat() -> list[Conversation]:
    """Make up a chat in which every third thing said is short, and the rest is hundreds of words."""
    chance = np.random.default_rng(7)
    filler = FILLER.strip().splitlines()
    turns: list[Turn] = []
    questions: list[Question | None] = []

    def say(day: int, role: str, text: str) -> str:
        session = f"s{day}"
        number = sum(one.session == session for one in turns) + 1
        at = datetime(2024, 1, 1, 9, tzinfo=UTC) + timedelta(days=day)
        turns.append(turn(f"D{day}:{number}", session, len(turns), text, role=role, at=at))
        return turns[-1].id

    for day, line in enumerate(LONG_CHAT.strip().splitlines(), start=1):
        topic, told, asked, advice, asked_again = line.split("|")
        sentences = [str(one).format(t=topic) for one in chance.permutation(filler)]
        for size in (int(chance.integers(8, 17)), int(chance.integers(8, 17))):
            if size % 2:
                gold = say(day, "user", f"I need some help with {topic}. {told} What would you do?")
            else:
                gold = say(day, "user", told)
            answer = [*sentences[: size // 2], advice, *sentences[size // 2 : size]]
            if turns and gold.endswith(":1"):
                long = say(day, "assistant", " ".join(answer))
                questions += [
                    question(asked, "told", [gold], turns),
                    question(asked_again, "advised", [long], turns),
                    question(f"About {topic}: {asked}", "told, topic named", [gold], turns),
                    question(f"About {topic}: {asked_again}", "advised, topic named", [long], turns),
                ]
            else:
                say(day, "assistant", " ".join(sentences[:size]))
            told = f"Thanks. And what if that does not work out with {topic}?"
    return [Conversation("long", tuple(turns), tuple(one for one in questions if one is not None))]
