"""Questions with what answers them, written by hand to measure with; nothing is trained on them."""

from __future__ import annotations

# A question asked later, with one long message of a chat with an assistant.
CHATS = (
    (
        "How did I say I want my Postgres backups done?",
        "I've been thinking about our disaster plan. Right now we dump the whole database at midnight to the same machine, which is silly because if the disk dies we lose both. I'd like nightly snapshots shipped to a bucket in another region, kept for thirty days, and a restore drill every quarter so we know they actually work. Could you draft a cron entry?",
    ),
    (
        "Which airline messed up the luggage?",
        "Ugh, what a day. The connection through Frankfurt was tight but we made it, only to find our bags were still sitting on the tarmac back in Toronto. Lufthansa says they'll courier them to the hotel by Thursday. I had to buy toothbrushes and underwear at a petrol station. Anyway, could you suggest dinner spots near the river?",
    ),
    (
        "What was the root cause of the memory growth?",
        "Okay so after two days of heap dumps I found it. Every websocket subscriber registered a listener on the shared emitter and nothing removed them on disconnect, so the array just kept getting bigger. Calling off() in the close handler fixed it, RSS is flat at 180 MB overnight. Let's write a regression test for that.",
    ),
    (
        "What do the kids refuse to eat?",
        "Planning meals for the week. Budget is around ninety euros. The twins won't touch anything with mushrooms or aubergine, my husband is trying to cut down on red meat, and I have about half an hour on weeknights. Please include one soup and something I can freeze.",
    ),
    (
        "How is grandma doing after her fall?",
        "Thanks for asking. She slipped in the shower three weeks ago and fractured her hip; the surgeons put in a pin and she's been in rehab since. The physio says she can walk ten metres with a frame already. We're looking into a stair lift and maybe someone to come by in the mornings.",
    ),
    (
        "What deadline does the grant application have?",
        "Let me summarise where we are: the narrative section is about eighty percent there, the letters of support are in, but the budget justification still needs numbers from the finance office. Everything has to be submitted through the portal by 17:00 on the fourth of October, and they don't accept late uploads, so I'd like to be done two days earlier.",
    ),
    (
        "Why did I drop the sourdough hobby?",
        "Funny you mention baking. I kept a starter alive for about a year during lockdown, and it was fun, but feeding it daily and planning a twenty-four hour rise around office shifts became a chore. When we went abroad for a fortnight it grew mould and I just let it go. These days I buy a loaf from the corner shop.",
    ),
    (
        "Which framework should the frontend avoid?",
        "For the new portal I'd want something light. We got burned by Angular on the previous one: huge bundles, upgrades every six months, and nobody on the team enjoys it. Svelte or plain server-rendered templates with a bit of htmx would be fine. Accessibility must be there from day one.",
    ),
    (
        "What scares me about public speaking?",
        "I have to present the quarterly figures to the board and I'm already losing sleep. It's not the slides; it's the moment when someone interrupts with a question I can't answer and my mind goes blank and my voice starts shaking. Last time I had to sit down. Do you have techniques that actually help?",
    ),
    (
        "How much is left on the mortgage?",
        "We're wondering whether to overpay. The flat was bought in 2016, the rate is fixed at 2.1 percent until next spring, and the outstanding balance is roughly one hundred and forty thousand. If rates go to five percent the monthly instalment would climb a lot. Would a lump sum of ten thousand make a real difference?",
    ),
    (
        "Who is coming to the reunion?",
        "The barbecue is set for the second Saturday in August at Uncle Theo's place. Confirmed so far: the Dublin cousins, Marta with her new baby, both of dad's brothers, and the neighbours from the old street. Still waiting to hear from Lena, who may have a shift at the hospital that day.",
    ),
    (
        "What style of apartment furniture do I like?",
        "I'm furnishing the new place from scratch and I don't want it to look like a catalogue. I love mid-century pieces, teak sideboards, low armchairs, brass lamps, and I loathe anything glossy white. A couple of big plants and a wool carpet would warm it up. Where can one find second-hand things like that without paying a fortune?",
    ),
    (
        "How do I want error responses shaped in the API?",
        "A few conventions for the service. Timestamps are ISO 8601 in UTC, ids are opaque strings, lists are paginated by cursor. When something fails, return problem+json with a stable machine-readable code and a human sentence, never a stack trace. Retry-After goes on 429. Please keep to that in every endpoint.",
    ),
    (
        "What instrument did dad play?",
        "I found a box of photographs in the loft. There's one of my father at nineteen in a smoky cellar club, eyes shut, leaning over a double bass that's taller than he is. He gave it up when my brother was born, sold it to pay for a pram. I never heard him perform, which makes me a bit sad.",
    ),
    (
        "What's my training plan before the race?",
        "So the half is nine weeks out. Mondays off, Tuesdays intervals on the track, Wednesdays easy eight kilometres, Thursdays tempo, Fridays swim, and a long slow one on Sundays building up to eighteen. The left calf has been tight so I'm adding foam rolling. Can you put it into a table?",
    ),
    (
        "Which medicine gave me side effects?",
        "A quick health update for the record. The cardiologist moved me from lisinopril, because I had that nagging dry cough for months, over to losartan. Blood pressure this morning was 128 over 82. Next check is after the holidays. I also take vitamin D in winter.",
    ),
    (
        "What went wrong with the landlord?",
        "We've finally had enough. The boiler has been out since November, there's black mould behind the wardrobe, and the owner keeps saying he'll send somebody and never does. We've sent a formal letter with photos and will withhold part of the payment from January if nothing happens. Is that legal here?",
    ),
    (
        "What did the customer interviews show?",
        "I went through the fourteen calls. The pattern is pretty clear: people don't care about the fancy charts, they want to export to a spreadsheet and share it with their boss. Three of them mentioned they had nearly cancelled because invites were confusing. Nobody used the mobile app more than once.",
    ),
    (
        "Where did we bury the time capsule?",
        "Writing this down so we don't forget. Under the big chestnut, three paces from the shed toward the pond, about half a metre deep, in the blue biscuit tin wrapped in plastic. It's got letters from all four of us, a newspaper, and Nina's milk tooth. We agreed to dig it up in 2035.",
    ),
    (
        "What language am I picking up and why?",
        "Since Joana's family is from Porto and her parents hardly speak any English, I've decided to learn Portuguese properly. I do twenty minutes with flashcards on the tram and a conversation lesson on Wednesdays with a retired teacher. The nasal vowels are killing me, but her mother laughed at my joke last Sunday!",
    ),
    (
        "How should the sensors be powered?",
        "For the greenhouse project: six soil probes and two thermometers reporting every ten minutes over LoRa. There's no mains out there, so a small solar panel with a lithium iron cell for each node. They need to survive minus ten. The gateway sits in the kitchen window.",
    ),
    (
        "What happened at the parent-teacher meeting?",
        "We saw Mrs. Okafor at school tonight. She says Leo is bright and kind but drifts off during maths and doesn't hand in homework. She suggested sitting closer to the front, a checklist in his bag, and having his eyes tested. I felt a little guilty for not noticing.",
    ),
    (
        "Which show did we see in London?",
        "The anniversary getaway was lovely. We took the early train, had oysters at the market, queued for cheap seats and ended up in the second row for Hadestown. I cried, obviously. The hotel had a tiny balcony overlooking the canal. On the way back the train was delayed for ninety minutes but we didn't care.",
    ),
    (
        "What colour scheme did the client approve?",
        "Feedback from today's review of the brand deck: they rejected the neon version outright, thought the monochrome was too cold, and signed off on the forest green with cream and a copper accent. Headings stay in the serif. They want the logo a touch larger on packaging.",
    ),
    (
        "Why did the deployment take so long?",
        "Post-mortem notes. The pipeline rebuilt every image because the cache key included the commit timestamp, then the integration tests queued behind the nightly run since both use the same two runners. All in all, one hour forty. Action: fix the key, add a third runner, split the slow suite.",
    ),
    (
        "What does my daughter want to become?",
        "Ella turned eleven last week. She's obsessed with the sea: draws squid all over her notebooks, corrected the guide at the aquarium, and declared that she will be a marine biologist and live on a boat. We got her a microscope and a membership. Any book ideas for that age?",
    ),
    (
        "How do I commute now?",
        "Since they closed the bridge the bus takes over an hour, so I got an electric folding bike. It's about twenty-five minutes along the towpath, and I can take it into the office. Rainy days I still drive and park near the stadium. My back is better already.",
    ),
    (
        "What's the plan for the cat while we're gone?",
        "We leave on the twelfth. Olga from upstairs will come by twice a day, she has the spare key. He gets half a tin in the morning, dry food at night, and the thyroid pill hidden in a bit of cheese. The vet's number is on the fridge. He'll sulk under the sofa for the first evening.",
    ),
    (
        "What did the review say about my paper?",
        "Reviewer two wants a stronger baseline and thinks the sample is too small; reviewer one loved the writing but asks for an ablation. The editor gave us major revisions with eight weeks. I think we can rerun the experiments on the bigger cohort by the end of the month. Let's plan who does what.",
    ),
    (
        "Why am I switching banks?",
        "Decided to move everything over to the credit union. The old one charged me thirty for an overdraft of two pounds, the app logs me out every minute, and on the phone I waited fifty minutes to be told to visit a branch that no longer exists. The new account has no monthly fee.",
    ),
)

# A request, with something that was said before and matters to it, in other words altogether.
CUES = (
    (
        "Any idea what I could give my father for his retirement?",
        "Dad has spent every free weekend this year restoring that wooden rowing boat.",
    ),
    (
        "I should pick a starter for tonight's guests.",
        "My boss swells up like a balloon if he goes near prawns.",
    ),
    (
        "I can't face another meeting at eight.",
        "The baby was awake from two till five again.",
    ),
    (
        "Could you recommend somewhere warm in February?",
        "Grey skies drag my mood down so badly every winter.",
    ),
    (
        "What should I wear to the ceremony?",
        "The invitation says black tie, and I only own jeans.",
    ),
    (
        "I feel like quitting everything.",
        "My manager took credit for my work in front of the whole team.",
    ),
    (
        "Help me choose a phone plan.",
        "I spend half of each month working from ships in the North Sea.",
    ),
    (
        "My budget seems tighter than expected.",
        "The insurer refused to cover the storm damage to our roof.",
    ),
    (
        "I am wondering what to do with the spare room.",
        "My mother can no longer live alone and her lease ends soon.",
    ),
    (
        "Suggest a movie for Friday.",
        "My niece still has nightmares after that film with the clown.",
    ),
    (
        "I'd like to get better at remembering people.",
        "I called the new colleague by the wrong name three times.",
    ),
    (
        "How do I get more energy?",
        "Blood tests came back and my iron is really low.",
    ),
    (
        "Find me a quiet spot to work.",
        "The upstairs flat is being gutted and the drilling never stops.",
    ),
    (
        "I need a new weekend activity.",
        "The orthopedist told me no more running, ever.",
    ),
    (
        "Which car would suit us?",
        "We've just found out that we are having triplets.",
    ),
    (
        "What should I bring to the picnic?",
        "Nora went vegan in January and hasn't looked back.",
    ),
    (
        "I don't know how to talk to my son anymore.",
        "He shut the door and put his headphones on again when I asked about school.",
    ),
    (
        "Is it worth renewing my season ticket?",
        "The company told us that we can stay remote for good.",
    ),
    (
        "I want to feel closer to my roots.",
        "A DNA test says that a quarter of my family came from Lebanon.",
    ),
    (
        "Why is my electricity bill so high?",
        "We put a heated pool in the garden last spring.",
    ),
)
