"""How everyday facts are told in German."""

from __future__ import annotations

from typing import Final

from bethink.lifecycle.consolidate.facts.book import Book, either, form, lasts, own, words
from bethink.lifecycle.consolidate.facts.brands import BRANDS

_AM: Final = "(?:bin|ist|sind)"
_HAVE: Final = "(?:habe|hat|haben|besitze|besitzt)"
_A: Final = "(?:eine?[nrms]? |der |die |das |dem |den )?"
_WORD: Final = (
    r"(?!(?:eine?[nrm]?|mein\w*|der|die|das|den|dem|mit|in|bei|als|und|seit|weil|"
    r"wegen|zu|zum|zur|nacht|hause)\b)[^\W_]+"
)
_NAME: Final = rf"{_WORD}(?: (?!(?:mit|in|bei|als|und|seit|weil|wegen|nahe|an|am|auf)\b)[^\W_]+){{0,2}}?"
_TAIL: Final = (
    "(?P<tail> (?:mit|in|im|bei|seit|weil|wegen|nahe|an|am|auf|fur|als|gleich|neben) .+| zusammen| allein)?"
)
_JOBS: Final = """
anwalt, anwaltin, apotheker, apothekerin, architekt, architektin, arzt, arztin, arzthelferin, backer, backerin,
bauer, bauerin, beamter, beamtin, berater, beraterin, bibliothekar, bibliothekarin, buchhalter, buchhalterin,
busfahrer, busfahrerin, chemiker, chemikerin, dachdecker, designer, designerin, elektriker, elektrikerin,
entwickler, entwicklerin, erzieher, erzieherin, fahrer, fahrerin, florist, floristin, fotograf, fotografin, friseur,
friseurin, gartner, gartnerin, grafiker, grafikerin, hebamme, informatiker, informatikerin, ingenieur, ingenieurin,
jurist, juristin, journalist, journalistin, kellner, kellnerin, koch, kochin, krankenpfleger, krankenpflegerin,
krankenschwester, kunstler, kunstlerin, lehrer, lehrerin, lokfuhrer, lokfuhrerin, maler, malerin, maurer,
mechaniker, mechanikerin, metzger, musiker, musikerin, notar, notarin, pfleger, pflegerin, physiker, physikerin,
pilot, pilotin, polizist, polizistin, programmierer, programmiererin, psychologe, psychologin, rentner, rentnerin,
richter, richterin, sanger, sangerin, sanitater, schauspieler, schauspielerin, schneider, schneiderin, schreiner,
schreinerin, schuler, schulerin, sekretar, sekretarin, soldat, soldatin, student, studentin, taxifahrer,
taxifahrerin, techniker, technikerin, tierarzt, tierarztin, tischler, tischlerin, trainer, trainerin, ubersetzer,
ubersetzerin, verkaufer, verkauferin, wissenschaftler, wissenschaftlerin, zahnarzt, zahnarztin
"""
_CHILDREN: Final = "kind, kinder, sohn, sohne, tochter"
_PETS: Final = (
    "hund, hunde, katze, katzen, pferd, pferde, kaninchen, hamster, papagei, papageien, huhner, ziegen, vogel"
)
_COUNTED: Final = f"{_CHILDREN}, {_PETS}, bruder, schwestern, geschwister, enkel, autos, fahrrader"
_NUMBER: Final = r"(?:\d{1,3}|keine|kein|ein|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn)"
_TAKEN: Final = either(
    "alkohol, wein, bier, kaffee, tee, milch, fisch, schweinefleisch, rindfleisch,"
    " zucker, gluten, brot, eier, kase"
)
_CARS: Final = either(BRANDS)
_LANGUAGES: Final = either(
    "deutsch, englisch, franzosisch, spanisch, italienisch, portugiesisch, niederlandisch,"
    " danisch, schwedisch, norwegisch, finnisch, polnisch, tschechisch, ungarisch,"
    " rumanisch, griechisch, turkisch, russisch, ukrainisch, arabisch, japanisch,"
    " chinesisch, koreanisch, hindi, kroatisch, serbisch"
)
_FAVORITES: Final = ", ".join(
    f"lieblings{each}"
    for each in words(
        "farbe, essen, gericht, getrank, band, film, buch, serie, verein, tier, musik,"
        " ort, stadt, sport, fach, restaurant, sanger, sangerin, autor, spiel, lied,"
        " cafe, blume, eis, zahl, land, hotel"
    )
)


GERMAN: Final = Book(
    forms=(
        form(
            "home",
            rf"(?:wohne|wohnt|wohnen|lebe|lebt|leben|wohnhaft) in (?P<v>{_NAME}){_TAIL}",
            "wohne, wohnt, wohnen, lebe, lebt, leben, wohnhaft",
        ),
        form(
            "home",
            (
                f"{_AM} (?:von {_NAME} )?nach (?P<v>{_NAME}) (?:gezogen|umgezogen|ubergesiedelt)"
                f"{_TAIL}|(?:ziehe|zieht) nach (?P<n>{_NAME}) um"
            ),
            "gezogen, umgezogen, ubergesiedelt, um",
        ),
        form(
            "home",
            rf"(?:wohnort|heimatstadt|zuhause) (?:ist|:)(?: in)? (?P<v>{_NAME})",
            "wohnort, heimatstadt, zuhause",
        ),
        form(
            "job",
            (
                f"(?:arbeite|arbeitet|jobbe|jobbt) als {_A}(?P<v>{_NAME})(?: (?:bei|fur) {_A}(?P<o>{_NAME})"
                f")?{_TAIL}"
            ),
            "arbeite, arbeitet, jobbe, jobbt",
        ),
        form(
            "job",
            (
                rf"(?:{_AM}|wurde|werde|wird) {_A}(?P<v>(?:[^\W\d_]+e[rnm]? )?(?:{either(_JOBS)})"
                f")(?: geworden)?(?: (?:bei|fur) {_A}(?P<o>{_NAME}))?(?: von beruf)?{_TAIL}"
            ),
            lasts(_JOBS),
        ),
        form(
            "job", rf"(?:beruf|job) (?:ist|:) {_A}(?P<v>{_NAME})|von beruf {_A}(?P<n>{_NAME})", "beruf, job"
        ),
        form(
            "job",
            rf"{_AM} (?:in rente|im ruhestand|pensioniert|verrentet)(?: gegangen)?{_TAIL}",
            "rente, ruhestand, pensioniert, verrentet",
            value="rentner",
        ),
        form(
            "employer",
            (
                f"(?:arbeite|arbeitet|{_AM} angestellt) (?:bei|fur) {_A}(?P<v>{_NAME})(?: als "
                f"{_A}(?P<o>{_NAME}))?{_TAIL}"
            ),
            "arbeite, arbeitet, angestellt",
        ),
        form(
            "employer",
            (
                f"{_HAVE} (?:bei|zu) {_A}(?P<v>{_NAME}) (?:angefangen|gewechselt)|{_AM} zu {_A}(?P<n>{_NAME})"
                " gewechselt"
            ),
            "angefangen, gewechselt",
        ),
        form(
            "workplace",
            r"(?:arbeite|arbeitet) (?:von zu hause|zu hause|im homeoffice)(?: aus)?",
            "arbeite, arbeitet",
            value="home",
        ),
        form("workplace", r"(?:arbeite|arbeitet) im buro", "arbeite, arbeitet", value="office"),
        form(
            "count", rf"{_HAVE} (?P<n>{_NUMBER}) (?:[^\W\d_]+e )?(?P<k>{either(_COUNTED)}){_TAIL}", _COUNTED
        ),
        form(
            "count", rf"(?:{_AM} )?(?:mutter|vater) von (?P<n>{_NUMBER})(?: kindern)?(?P<k>)", "mutter, vater"
        ),
        form(
            "has",
            (
                rf"{_HAVE} eine?n? (?P<a>(?:[^\W\d_]+en? ){{0,2}})(?P<k>{either(_PETS)})(?: (?:namens|"
                f"genannt) (?P<v>{_NAME}))?"
            ),
            _PETS,
        ),
        form(
            "marital",
            rf"{_AM} (?P<v>ledig|single|verheiratet|geschieden|verlobt|verwitwet|getrennt){_TAIL}",
            "ledig, single, verheiratet, geschieden, verlobt, verwitwet, getrennt",
        ),
        form("marital", rf"{_HAVE} geheiratet", "geheiratet", value="verheiratet"),
        form(
            "age",
            r"(?:bin|ist) (?P<n>\d{1,3})(?: jahre alt| jahre)?|(?:bin|ist) (?P<v>\d{1,3}) geworden",
            "bin, ist",
        ),
        form("allergy", rf"(?:{_AM} )?allergisch (?:gegen|auf) (?P<v>{_NAME})", "allergisch"),
        form(
            "allergy",
            (
                f"{_HAVE} eine allergie gegen (?P<v>{_NAME})|(?:{_HAVE} )?eine (?P<n>{_NAME})"
                rf" allergie|{_HAVE} (?:eine )?(?P<k>[^\W\d_]{{3,}})allergie"
            ),
            (
                "allergie, nussallergie, erdnussallergie, pollenallergie, tierhaarallergie,"
                " milchallergie, eiallergie, fischallergie, katzenallergie, hundeallergie, "
                "weizenallergie, sojaallergie, penicillinallergie, hausstauballergie, bienenallergie,"
                " wespenallergie"
            ),
        ),
        form(
            "speaks",
            rf"(?:kann |spreche |spricht )(?:gut |fliessend |etwas )?(?P<v>{_LANGUAGES})(?: sprechen)?",
            "kann, spreche, spricht",
        ),
        form(
            "eating",
            (
                f"(?:{_AM} )?(?:eine? )?(?P<v>vegetarier|vegetarierin|vegetarisch|veganer|veganerin|"
                "vegan|pescetarier|pescetarierin)|(?:esse|isst) (?P<n>vegan|vegetarisch)|(?:ernahre|"
                "ernahrt) (?:mich |sich )?(?P<k>vegan|vegetarisch)|(?:lebe|lebt) (?P<o2>vegan|"
                "vegetarisch)"
            ),
            ("vegetarier, vegetarierin, vegetarisch, veganer, veganerin, vegan, pescetarier, pescetarierin"),
        ),
        form(
            "eating",
            r"(?:esse|isst|essen) (?P<not>kein )?fleisch(?P<tail> (?:wenn|am|an|nur|bei) .+)?",
            "esse, isst, essen",
            value="omnivore",
        ),
        form(
            "takes",
            rf"(?:trinke|trinkt|esse|isst) (?P<not>keine?n? )?(?P<v>{_TAKEN}){_TAIL}",
            "trinke, trinkt, esse, isst",
        ),
        form(
            "takes",
            rf"(?:(?:rauche|raucht)|{_AM} raucher(?:in)?){_TAIL}",
            "rauche, raucht, raucher, raucherin",
            value="smoke",
        ),
        form(
            "takes",
            rf"{_HAVE} (?:mit dem rauchen aufgehort|das rauchen aufgegeben)|{_AM} nichtraucher(?:in)?",
            "rauchen, nichtraucher, nichtraucherin",
            value="smoke",
            denies=True,
        ),
        form(
            "car",
            rf"(?:fahre|fahrt|{_HAVE}) eine?n? (?:[^\W\d_]+en )?(?P<v>{_CARS})(?: [^\W_]+)?{_TAIL}",
            lasts(BRANDS),
        ),
        form(
            "wakes",
            r"(?:stehe|steht) um (?P<v>\d{1,2}(?: uhr)?|funf|sechs|sieben|acht|neun)(?: uhr)? auf",
            "stehe, steht",
        ),
        form("name", rf"name ist (?P<v>{_NAME})|(?:heisse|heisst) (?P<n>{_NAME})", "name, heisse, heisst"),
        form(
            "called",
            rf"nenn(?:e|t)? mich (?P<v>{_NAME})|(?:mochte|will) (?P<n>{_NAME}) genannt werden",
            "nenn, nenne, nennt, genannt",
        ),
        form(
            "tenure",
            (
                "(?:wohne|wohnt) zur (?P<v>miete)|(?:besitze|besitzt) (?:eine |ein |meine |"
                "mein )?(?:eigene?s? )?(?P<k>wohnung|haus)"
            ),
            "miete, wohnung, haus",
        ),
        form("favorite", rf"lieblings(?P<k>[^\W\d_]+) (?:ist|sind|:) {_A}(?P<v>{_NAME})", _FAVORITES),
    ),
    joints=(
        " , (?:und |aber )?| (?:und|aber) (?=(?:ich|wir|er|sie|habe|hat|bin|ist|wohne|"
        "wohnt|arbeite|arbeitet|spreche|spricht|mag|liebe|liebt|hasse|hasst|esse|isst|"
        r"trinke|trinkt)\b)"
    ),
    passing=(
        "in zwischen|inzwischen|jetzt|nun|zurzeit|zur zeit|momentan|im moment|derzeit|"
        r"aktuell|seit (?:kurzem|\d{4}|januar|februar|marz|april|mai|juni|juli|august|"
        "september|oktober|november|dezember)|"
        "(?:letztes|letzten|dieses|diesen|letzte) (?:jahr|monat|woche|sommer|winter|"
        r"herbst|fruhling|fruhjahr)|vor (?:kurzem|einem jahr|\w+ (?:jahren|monaten|wochen)"
        ")|"
        "wieder|auch|noch|immer|gerade|schon|endlich|meistens|normalerweise|eigentlich|"
        "ubrigens|selbst|bereits|neuerdings|mehr|gern|gerne|sehr|stark|bitte"
    ),
    denying=r"nicht mehr|nicht|nie|niemals|nie mehr",
    people=own(
        "frau, mann, partner, partnerin, freund, freundin, sohn, tochter, mutter, vater, "
        "schwester, bruder, oma, opa, onkel, tante, chef, chefin, kollege, kollegin, eltern, "
        "kinder, hund, katze, familie, nachbar, nachbarin, ex, cousin, cousine"
    ),
    speaker="ich|wir|er|sie|der nutzer|die nutzerin|nutzer",
    possessive="meine?|unsere?|seine?|ihre?|der|die|das",
    dressing=(
        "(?:bin|ist|sind) umgezogen|(?:habe|hat) (?:gekundigt|den job gewechselt|die stelle gewechselt)"
    ),
    depending=r"(?:mit|bei|in|im|seit|weil|nahe|an|am|auf|gleich|neben|zusammen|wo|der|die|das)\b",
    conditions=(
        r"(?:wenn|falls|wahrend|am (?:wochenende|\w+tag)|im (?:sommer|winter|urlaub|"
        r"dienst)|auf reisen|bei)\b"
    ),
    leads={
        "home": "wohne, wohnt, wohnen, lebe, lebt, gezogen, umgezogen, wohnort, zuhause",
        "work": "arbeite, arbeitet, beruf, rente, ruhestand, angestellt, geworden, wurde, " + _JOBS,
        "children": _CHILDREN,
        "eating": "vegetarier, vegetarierin, vegetarisch, vegan, veganer, veganerin, fleisch",
        "smokes": "rauche, raucht, raucher, raucherin, rauchen, nichtraucher, nichtraucherin",
        "allergy": (
            "allergisch, allergie, nussallergie, erdnussallergie, pollenallergie, milchallergie,"
            " katzenallergie"
        ),
        "marital": "ledig, single, verheiratet, geschieden, verlobt, verwitwet, getrennt, geheiratet",
        "car": "fahre, fahrt",
        "called": "nenn, nennt, nenne, heisse, heisst, name",
        "age": "jahre",
    },
    kinds={
        "kinder": "kind",
        "sohne": "sohn",
        "hunde": "hund",
        "katzen": "katze",
        "pferde": "pferd",
        "keine": "0",
        "kein": "0",
        "ein": "1",
        "zwei": "2",
        "drei": "3",
        "vier": "4",
        "funf": "5",
        "sechs": "6",
        "sieben": "7",
        "acht": "8",
        "neun": "9",
        "zehn": "10",
        "child": "kind",
        "vegetarier": "vegetarian",
        "vegetarierin": "vegetarian",
        "vegetarisch": "vegetarian",
        "veganer": "vegan",
        "veganerin": "vegan",
        "pescetarier": "pescatarian",
        "pescetarierin": "pescatarian",
        "rentnerin": "rentner",
        "nusse": "nuss",
        "erdnusse": "erdnuss",
        "nussen": "nuss",
        "hauser": "haus",
        "walnusse": "walnuss",
        "haselnusse": "haselnuss",
        "bienen": "biene",
        "wespen": "wespe",
        "tierhaare": "tierhaar",
        "hunden": "hund",
        "eier": "ei",
    },
)
