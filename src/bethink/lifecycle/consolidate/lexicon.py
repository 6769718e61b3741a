"""The words by which notes are compared: what denies, what limits, and which values exclude one another.

Tables only. A phrase is written as it is spoken; `attributes` folds and stems it as it does the words of a note.
Phrases are parted by commas. Six languages share one table: a word that means something else in another of them
is left out, or stands only in a longer phrase.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Strength: TypeAlias = Literal["like", "prefer"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """Something of which a person has one value at a time."""

    name: str
    values: dict[str, str]  #: a value, and the phrases that mean it
    cues: str = ""  #: words that must be near, or among the keywords, unless the value is a phrase of its own
    sure: str = ""  #: phrases among the values that need no cue
    lone: bool = False  #: no value needs one
    told_only: bool = False  #: two values exclude each other only where nothing else is said beside them
    firm: bool = False  #: to like one value does not exclude another; to prefer it, or to be it, does


NEGATIVE: Final = """
not, no, never, neither, nor, none, nothing, nobody, cannot, without, no longer, not any more, not anymore, avoid,
avoids, dislike, hate, loathe, detest, despise, refuse, reject, can not stand, ca not stand, rarely, seldom, hardly,
barely, gave up, gives up, stopped, quit, used to, least favorite, least favourite, against, anything but, opposed to,
averse to, instead of nothing,
nicht, kein, keine, keinen, keinem, keiner, keines, nie, niemals, nichts, ohne, ungern, hasst, verabscheut, vermeidet,
meidet, verzichtet auf, nicht mehr, kein mehr,
pas, jamais, aucun, aucune, sans, déteste, évite, refuse, rien, ni,
nunca, jamás, ningún, ninguna, ninguno, tampoco, odia, detesta, evita, rechaza, sin, nada,
不, 没, 沒, 别, 別, 讨厌, 討厭, 避免, 拒绝, 不再, 无, 無, 从不, 從不,
ない, ません, ぬ, 嫌い, 嫌, 苦手, 避け, やめ
"""

#: negative in French only beside "ne"
NEGATIVE_WITH_NE: Final = "plus, point, guère"

LIKING: Final = """
like, likes, love, loves, enjoy, enjoys, adore, favor, favour, appreciate, fond of, a fan of, fan of, keen on,
happy with, not mind, would like, would love, want, wants, take, takes, choose, chooses, pick, picks, select,
opt for, opts for, go for, goes for, preference for,
mag, mögen, liebt, gefällt, schätzt, nimmt, wählt, gern, gerne, möchte,
aime, adore, apprécie, prend, choisit, voudrait,
gusta, gustan, encanta, encantan, ama, adora, elige, quiere,
喜欢, 喜歡, 爱, 愛, 喜爱, 好き, 大好き, 好む
"""

PREFERRING: Final = """
prefer, prefers, preferred, preferring, preference is, would prefer, would rather, rather have, favorite, favourite,
favors, bevorzugt, bevorzuge, zieht vor, lieber, am liebsten, lieblings,
préfère, préféré, préférée, favori, favorite,
prefiere, prefieren, preferido, preferida, favorito, favorita,
偏好, 更喜欢, 更喜歡, 最喜欢, 首选, 方がいい, 一番好き, 希望
"""

#: to be thinking of something is not to have chosen it
TENTATIVE: Final = """
try, tries, trying, might, may, maybe, perhaps, possibly, consider, considers, considering, wonder,
wish, wishes, hope, hopes, plan to, plans to, planning to, think of, thinking of, thinking about,
curious about, interested in, sometimes, occasionally, once, could, would,
vielleicht, manchmal, überlegt, will, peut-être, parfois, quizás, a veces, 也许, 有时, 想, 可能, かも,
たまに, 時々, たい
"""

#: words that build a sentence, or soften it, and say nothing of their own
LIGHT: Final = """
a, an, the, user, users, customer, client, i, me, my, mine, he, him, his, she, her, hers, they, them, their, we, us,
our, it, its, you, your, s, is, are, am, be, being, been, do, does, did, done, to, of, that, this, these, those, and,
or, as, usually, generally, normally, typically, often, mostly, mainly, always, also, too, very, really, quite, so,
just, please, now, currently, still, already, in general, by default, from now on, going forward, these days,
as a rule, at all, rather, much, more, most, a lot, lot, lots, strongly, definitely, absolutely, explicitly, clearly,
said, says, say, who, which, what, there, all, any, some, such, even, only, both, either, not only, when possible,
if possible, whenever possible, where possible, when available, overall, please note, note that, remember that, here,
der, die, das, den, dem, des, ein, eine, einen, einem, einer, ist, sind, bin, ich, mich, mir, mein, meine, er, sie,
ihr, sein, seine, nutzer, nutzerin, benutzer, kunde, und, oder, auch, sehr, meist, meistens, immer, normalerweise,
gewöhnlich, üblicherweise, eher, jetzt, zu, dass, generell, es,
le, la, les, l, un, une, des, du, de, d, est, suis, je, j, moi, mon, ma, mes, il, elle, sa, ses, ne, n, et, ou,
aussi, très, toujours, souvent, généralement, habituellement, normalement, plutôt, maintenant, que, qu, utilisateur,
utilisatrice,
el, los, las, uno, una, unos, unas, del, al, es, soy, yo, mi, mis, su, sus, y, o, también, muy, siempre, normalmente,
generalmente, suele, ahora, usuario, usuaria, lo, le, se, me,
的, 是, 我, 他, 她, 用户, 用戶, 很, 通常, 一般, 总是, 總是, 了, 也, 会, 會, 坐, 要,
が, は, を, の, に, で, と, も, です, ます, だ, する, している, いつも, 普段, 基本的に, 私, ユーザー, ユーザーは
"""

#: content that a second wording may have or not
SOFT: Final = """
stay, staying, option, options, possible, available, type, thing, things, generic, default, regular, personal,
usual, general, ones, one, preference, preferences, prefer, choice, favorite, bitte, merci
"""

#: words that carry another one, so that a second wording may do without them
CARRYING: Final = """
have, has, own, owns, suffer, suffers, suffering, got, experience, make, keep, use, uses, food, stuff, hat,
hatte, a, tiene
"""

#: where a clause ends, and with it what denies
BREAKING: Final = """
but, however, although, though, whereas, except that, yet, aber, sondern, jedoch, allerdings, obwohl, mais, cependant,
sino, pero, aunque, 但, 但是, 不过, 而是, けど, けれど, しかし, が、
"""

#: what comes after them is what the first is preferred to
OVER: Final = """
over, rather than, instead of, as opposed to, not but, to avoid, gegenüber, statt, anstatt, anstelle von, plutôt que,
au lieu de, en vez de, antes que, 而不是, 而非, より
"""

#: what comes after them says when it holds; the second list also says something itself
WHEN: Final = """
for, on, when, while, whilst, during, if, at, in, with, by, whenever, where, für, auf, bei, wenn, während, im,
beim, mit, pour, sur, quand, lors, pendant, si, avec, dans, en, chez, para, cuando, durante, con, sobre
"""
WHEN_SAID: Final = """
before, after, under, above, below, over, unless, except, until, since, between, from, vor,
nach, unter, bis, außer, seit, ab, avant, après, sous, sauf, depuis, jusque, entre, antes, después, bajo, salvo,
desde, hasta
"""

PEOPLE: Final = """
wife, husband, spouse, partner, fiancé, fiancée, girlfriend, boyfriend, son, daughter, kid, kids, child, children,
baby, toddler, mother, mom, mum, father, dad, parents, brother, sister, sibling, grandmother, grandfather, grandma,
grandpa, aunt, uncle, cousin, nephew, niece, family, friend, friends, boss, manager, assistant, colleague, colleagues,
coworker, roommate, neighbor, neighbour, dog, cat, team, frau, mann, sohn, tochter, kinder, mutter, vater,
bruder, schwester, hund, katze, femme, mari, fils, fille, enfant, enfants, mère, frère, sœur, chien,
esposa, esposo, marido, hijo, hija, hijos, madre, padre, hermano, hermana, jefe, perro, gato,
妻子, 丈夫, 儿子, 女儿, 孩子, 母亲, 父亲, 妻, 夫, 息子, 娘, 子供, 母, 父
"""

#: verbs after which a name at the start of a note is somebody else's
OF_SOMEBODY: Final = """
is, are, was, has, have, had, like, likes, love, loves, prefers, enjoys, hates, avoids, dislikes, lives, works, wants,
needs, speaks, owns, plays, eats, drinks, does, cannot, can, will, would, thinks, said, says, moved, uses, flies
"""

COPULAS: Final = "is, are, ist, sind, est, es, 是"

#: what has one value: "X is …"
SINGLE: Final = """
name, nickname, birthday, birthdate, email, address, city, hometown, country, nationality, profession, occupation,
employer, currency, timezone, time zone, pronouns, anniversary, blood type, mother tongue, native language, language,
residence
"""
#: … of which the value is a number
SINGLE_NUMBER: Final = "age, budget, size, height, weight, limit, shoe size"

NUMBERS: Final = """
one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, dozen, hundred, thousand, million, half,
twice, double, first, second, third, zwei, drei, vier, fünf, sechs, sieben, acht, neun, zehn, deux, trois, quatre,
cinq, sept, huit, neuf, dix, dos, tres, cuatro, cinco, siete, ocho, nueve, diez,
一, 二, 两, 三, 四, 五, 六, 七, 八, 九, 十
"""

MONEY: Final = (
    "$, €, £, ¥, usd, eur, gbp, jpy, chf, cny, dollar, dollars, euro, euros, pound, pounds, yen, franc"
)

ATTRIBUTES: Final = (
    Attribute(
        name="seat",
        cues="seat, seats, seating, sit, flight, flights, plane, fly, platz, sitz, sitzplatz, siège, place, "
        "asiento, 席, 座, 座位, 座席",
        sure="fensterplatz, gangplatz, mittelplatz, hublot, couloir, ventanilla, pasillo, 靠走道, 靠窗, 通路側, 窓側",
        values={
            "aisle": "aisle, gangplatz, gang, couloir, pasillo, 靠走道, 过道, 走道, 通路側, 通路",
            "window": "window, fensterplatz, fenster, hublot, fenêtre, ventanilla, ventana, 靠窗, 窓側, 窓",
            "middle": "middle, mittelplatz, milieu, 中间, 中央",
        },
    ),
    Attribute(
        name="seat row",
        cues="seat, seats, row, sit, plane, cabin",
        told_only=True,
        values={"front": "front, forward", "back": "back, rear", "exit": "exit row, emergency exit"},
    ),
    Attribute(
        name="cabin",
        cues="class, cabin, fly, flight, flights, travel",
        told_only=True,
        values={
            "economy": "economy, coach",
            "premium": "premium economy, economy plus",
            "business": "business class, business",
            "first": "first class",
        },
    ),
    Attribute(
        name="diet",
        cues="diet, dietary, meal, meals, food, eat, eats, eater, menu, dish, dishes",
        lone=True,
        told_only=True,
        firm=True,
        values={
            "vegetarian": "vegetarian, veggie, vegetarisch, vegetarier, vegetarierin, végétarien, végétarienne, "
            "vegetariano, vegetariana, 素食, 吃素, ベジタリアン, 菜食",
            "vegan": "vegan, vegane, végan, végane, vegano, vegana, 纯素, ヴィーガン, ビーガン",
            "pescatarian": "pescatarian, pescetarian, pescetarisch, pescetarier",
            "omnivore": "omnivore, omnivorous, meat eater",
        },
    ),
    Attribute(
        name="baggage",
        cues="bag, bags, baggage, luggage, suitcase, gepäck, koffer, bagage, bagages, equipaje, maleta",
        told_only=True,
        values={
            "checked": "check, checks, checked, checking, aufgeben, enregistrer, facturar",
            "carry-on": "carry on, carry ons, hand luggage, handgepäck, cabin bag, equipaje de mano, bagage à main",
        },
    ),
    Attribute(
        name="floor",
        cues="floor, floors, room, rooms, etage, stock, stockwerk, étage, étages, piso, pisos, planta, 楼层, 階",
        values={
            "high": "high, higher, upper, top, hohe, hohen, oben, élevé, élevés, alto, altos, 高",
            "low": "low, lower, ground, niedrig, untere, unten, bas, bajo, bajos, 低",
        },
    ),
    Attribute(
        name="bed",
        cues="bed, beds, room, rooms, bett",
        firm=True,
        values={"king": "king, king size", "queen": "queen, queen size", "twin": "twin", "double": "double"},
    ),
    Attribute(
        name="smoking",
        cues="room, rooms, smoking",
        lone=True,
        values={"non-smoking": "non smoking, nonsmoking, smoke free", "smoking": "smoking room, smoking rooms"},
    ),
    Attribute(
        name="theme",
        cues="theme, mode, interface, ui, editor, display, modus, thème, tema, modo, テーマ, モード, 模式, 主题",
        values={
            "dark": "dark, dunkel, dunkles, dunkler, sombre, oscuro, 深色, 暗, ダーク",
            "light": "light, hell, helles, heller, clair, claro, 浅色, 亮, ライト",
        },
    ),
    Attribute(
        name="length",
        cues="answer, answers, reply, replies, response, responses, explanation, explanations, tone, style, summary, "
        "summaries, message, messages, report, email, emails, communication, antwort, antworten, réponse, réponses, "
        "respuesta, respuestas, 回答",
        values={
            "brief": "brief, concise, short, terse, succinct, compact, kurz, kurze, knapp, knappe, court, courtes, "
            "concis, concises, corto, cortas, breve, breves, 简短, 簡潔",
            "detailed": "detailed, long, longer, thorough, verbose, in depth, elaborate, extensive, ausführlich, "
            "ausführliche, détaillé, détaillées, détaillés, détaillée, longues, detallado, detalladas, 详细, 詳しい",
        },
    ),
    Attribute(
        name="formality",
        cues="answer, answers, reply, replies, tone, style, language, communication, email, emails, address, message",
        values={
            "formal": "formal, formell, formel, formelle, 正式",
            "casual": "casual, informal, friendly, relaxed, locker, informell, décontracté",
        },
    ),
    Attribute(
        name="units",
        cues="unit, units, system, measurement, measurements, distance, distances, temperature, temperatures",
        values={"metric": "metric, kilometers, kilometres, km", "imperial": "imperial, miles"},
    ),
    Attribute(
        name="temperature",
        cues="temperature, temperatures, degrees, weather, unit, units",
        values={"celsius": "celsius", "fahrenheit": "fahrenheit"},
    ),
    Attribute(
        name="clock",
        cues="clock, time, times, format, hour",
        values={"24 hour": "24 hour, 24h", "12 hour": "12 hour, 12h, am pm"},
    ),
    Attribute(
        name="indentation",
        cues="indent, indentation, code, python",
        told_only=True,
        values={"tabs": "tab, tabs", "spaces": "space, spaces"},
    ),
    Attribute(
        name="transport",
        lone=True,
        told_only=True,
        firm=True,
        cues="travel, travels, transport, commute, getting, go, trip, trips",
        values={
            "train": "train, trains, rail, zug, bahn, tren",
            "plane": "plane, planes, flying, fly, flug, avión, avion",
            "car": "car, cars, driving, drive, auto, voiture, coche",
            "bus": "bus, buses, coach",
            "bicycle": "bicycle, bike, biking, cycling, fahrrad, vélo, bicicleta",
        },
    ),
    Attribute(
        name="airline",
        lone=True,
        told_only=True,
        firm=True,
        cues="airline, airlines, fly, flying, flight, flights, carrier",
        values={
            each: each
            for each in (
                "united", "delta", "american airlines", "lufthansa", "british airways", "air france", "klm", "emirates",
                "qatar airways", "singapore airlines", "southwest", "jetblue", "iberia",
                "ryanair", "easyjet", "swiss", "turkish airlines", "cathay pacific", "qantas",
            )
        },
    ),
    Attribute(
        name="hotel",
        lone=True,
        told_only=True,
        firm=True,
        cues="hotel, hotels, brand, brands, chain, chains, property, properties, stay, staying",
        values={
            each: each
            for each in (
                "marriott", "hilton", "hyatt", "ihg", "accor", "radisson", "sheraton", "westin", "four seasons",
                "best western", "motel one", "holiday inn", "novotel", "ibis", "intercontinental",
            )
        },
    ),
    Attribute(
        name="drink",
        lone=True,
        told_only=True,
        firm=True,
        cues="drink, drinks, beverage, morning",
        values={
            "coffee": "coffee, kaffee, café",
            "tea": "tea, tee",
            "espresso": "espresso",
            "cappuccino": "cappuccino",
            "wine": "wine, wein, vin, vino",
            "beer": "beer, bier, bière, cerveza",
        },
    ),
    Attribute(
        name="language",
        cues="answer, answers, reply, replies, respond, response, responses, communicate, communication, written, "
        "write, language, antworten, réponses, respuestas",
        values={
            "english": "english, englisch, anglais, inglés",
            "german": "german, deutsch, allemand, alemán",
            "french": "french, französisch, français, francés",
            "spanish": "spanish, spanisch, espagnol, español",
            "japanese": "japanese, japanisch, japonais, japonés",
            "chinese": "chinese, mandarin, chinesisch, chinois, chino",
            "italian": "italian", "portuguese": "portuguese", "dutch": "dutch", "korean": "korean",
            "arabic": "arabic", "hindi": "hindi", "russian": "russian", "turkish": "turkish", "polish": "polish",
        },
    ),
    Attribute(
        name="currency",
        cues="price, prices, currency, pay, pays, payment, payments, quote, quotes, amount, amounts, cost, costs",
        values={
            "usd": "usd, dollar, dollars", "eur": "eur, euro, euros", "gbp": "gbp, pound, pounds",
            "jpy": "jpy, yen", "chf": "chf, franc, francs", "cny": "cny, yuan",
        },
    ),
    Attribute(
        name="payment",
        cues="pay, pays, payment, payments, paying",
        firm=True,
        values={
            "credit card": "credit card, card", "cash": "cash", "paypal": "paypal", "invoice": "invoice",
            "bank transfer": "bank transfer, wire",
        },
    ),
    Attribute(
        name="status",
        cues="status, member, tier, elite, membership, level",
        told_only=True,
        values={
            each: each for each in ("silver", "gold", "platinum", "titanium", "diamond", "bronze", "basic")
        },
    ),
    Attribute(
        name="hour",
        told_only=True,
        firm=True,
        cues="flight, flights, meeting, meetings, departure, departures, call, calls, appointment, appointments, "
        "workout, workouts, arrival, arrivals, train, trains, shift, shifts",
        values={
            "morning": "morning, mornings", "afternoon": "afternoon, afternoons",
            "evening": "evening, evenings", "night": "night, overnight, red eye, red eyes",
        },
    ),
)  # fmt: skip

#: words of which two in one place make two different statements, whatever else is alike
CONTRASTS: Final = """
hot, cold, warm, cool; spicy, mild, sweet, sour, bitter, salty; early, late; morning, afternoon, evening, night;
small, large, big, tiny, huge, medium; cheap, expensive, luxury, budget; quiet, loud, noisy, lively; left, right;
before, after; under, over, above, below; more, less, fewer; high, low; short, long; near, far; indoor, outdoor;
inside, outside; north, south, east, west; hard, soft, firm; fast, slow; old, new, modern, classic; start, end;
weekday, weekend; monday, tuesday, wednesday, thursday, friday, saturday, sunday; public, private; remote, onsite;
january, february, march, april, june, july, august, september, october, november, december;
summer, winter, spring, autumn, fall; red, blue, green, yellow, black, white, brown, purple, orange, pink, grey;
brother, sister; mother, father; son, daughter; husband, wife; dog, cat; single, double; direct, connecting;
coffee, tea; wine, beer; beach, mountain, city; city, countryside; smoking, non; chicken, beef, fish, pork, lamb;
android, ios; mac, windows, linux; python, java, rust, go, javascript, typescript; email, phone, sms, text, chat;
manual, automatic; domestic, international; business, leisure, personal, family; breakfast, lunch, dinner;
minimum, maximum, min, max; at least, at most; always, sometimes, never; with, without; buy, sell, rent; gold, silver,
platinum, diamond, titanium; economy, business, first; bath, shower; still, sparkling; paper, digital; cash, card
"""
