"""How everyday facts are told in French."""

from __future__ import annotations

from typing import Final

from bethink.lifecycle.consolidate.facts.book import Book, either, form, lasts, own
from bethink.lifecycle.consolidate.facts.brands import BRANDS

_AM: Final = "(?:suis|est|sommes)"
_HAVE: Final = "(?:ai|a|avons|possede)"
_A: Final = "(?:une? |la |le |les |l |de la |du |des )?"
_WORD: Final = (
    "(?!(?:une?|le|la|les|mon|ma|mes|son|sa|ses|avec|dans|en|a|au|chez|pour|et|"
    r"depuis|parce|pres|domicile|distance)\b)[^\W_]+"
)
_NAME: Final = (
    rf"{_WORD}(?: (?!(?:avec|dans|en|a|au|chez|pour|et|depuis|parce|pres|sur)\b)[^\W_]+)"
    f"{{0,2}}?"
)
_TAIL: Final = (
    "(?P<tail> (?:avec|dans|en|a|au|chez|pour|depuis|parce|pres|sur|comme|quand|le|la) .+| seule?| ensemble)?"
)
_JOBS: Final = """
acteur, actrice, agriculteur, agricultrice, architecte, artiste, avocat, avocate, bibliothecaire, boucher, boulanger,
boulangere, caissier, caissiere, charpentier, chauffeur, chercheur, chercheuse, chimiste, chirurgien, chirurgienne,
coiffeur, coiffeuse, comptable, cuisinier, cuisiniere, danseur, danseuse, dentiste, designer, developpeur,
developpeuse, ecrivain, electricien, electricienne, enseignant, enseignante, etudiant, etudiante, facteur, factrice,
fleuriste, fonctionnaire, graphiste, infirmier, infirmiere, informaticien, informaticienne, ingenieur, ingenieure,
instituteur, institutrice, jardinier, jardiniere, journaliste, juge, juriste, libraire, macon, mecanicien,
mecanicienne, medecin, menuisier, musicien, musicienne, notaire, ouvrier, ouvriere, peintre, pharmacien, pharmacienne,
photographe, pilote, plombier, policier, policiere, pompier, professeur, professeure, psychologue, retraite,
retraitee, sage femme, secretaire, serveur, serveuse, soldat, traducteur, traductrice, vendeur, vendeuse, veterinaire
"""
_CHILDREN: Final = "enfant, enfants, fils, fille, filles"
_PETS: Final = (
    "chien, chiens, chat, chats, cheval, chevaux, lapin, lapins, hamster, perroquet,"
    " poules, chevres, oiseau, oiseaux"
)
_COUNTED: Final = f"{_CHILDREN}, {_PETS}, freres, soeurs, petits enfants, voitures, velos"
_NUMBER: Final = r"(?:\d{1,3}|deux|trois|quatre|cinq|six|sept|huit|neuf|dix)"
_TAKEN: Final = either(
    "alcool, vin, biere, cafe, the, lait, poisson, porc, boeuf, sucre, gluten, pain, oeufs, fromage"
)
_CARS: Final = either(BRANDS)
_LANGUAGES: Final = either(
    "anglais, allemand, francais, espagnol, italien, portugais, neerlandais, danois,"
    " suedois, norvegien, finnois, polonais, tcheque, hongrois, roumain, grec, "
    "turc, russe, ukrainien, arabe, hebreu, hindi, japonais, chinois, coreen, vietnamien,"
    " breton, basque, catalan"
)


FRENCH: Final = Book(
    forms=(
        form(
            "home",
            rf"(?:habite|habitons|vis|vit|vivons|reside)(?: a| au| aux| en)? (?P<v>{_NAME}){_TAIL}",
            "habite, habitons, vis, vit, vivons, reside",
        ),
        form(
            "home",
            (
                f"(?:{_HAVE}|viens de|vient de) (?:demenage|demenager|emmenage|emmenager)(?: "
                f"de {_NAME})? (?:a|au|en) (?P<v>{_NAME}){_TAIL}"
            ),
            "demenage, demenager, emmenage, emmenager",
        ),
        form(
            "job",
            (
                f"(?:travaille|travaillons) (?:comme|en tant que) {_A}(?P<v>{_NAME})(?: (?:chez|"
                f"pour) {_A}(?P<o>{_NAME}))?{_TAIL}"
            ),
            "travaille, travaillons",
        ),
        form(
            "job",
            (
                f"(?:{_AM}|{_AM} devenue?|deviens|devient) {_A}(?P<v>(?:{either(_JOBS)}))(?: "
                f"(?:chez|pour) {_A}(?P<o>{_NAME}))?{_TAIL}"
            ),
            lasts(_JOBS),
        ),
        form("job", rf"(?:metier|profession) (?:est|:) {_A}(?P<v>{_NAME})", "metier, profession"),
        form(
            "job",
            rf"(?:{_AM} )?(?:a la retraite|{_HAVE} pris (?:ma|sa) retraite)",
            "retraite",
            value="retraite",
        ),
        form(
            "employer",
            (
                f"(?:travaille|travaillons) (?:chez|pour) {_A}(?P<v>{_NAME})(?: comme {_A}(?P<o>{_NAME})"
                f")?{_TAIL}"
            ),
            "travaille, travaillons",
        ),
        form(
            "employer",
            (
                f"{_HAVE} (?:rejoint|commence chez|ete embauchee? chez) (?P<v>{_NAME}) comme "
                f"{_A}(?P<o>{_NAME})|{_HAVE} (?:commence|ete embauchee?) chez (?P<n>{_NAME})"
            ),
            "rejoint, commence, embauche, embauchee",
        ),
        form(
            "workplace",
            r"travaille (?:a domicile|a la maison|en teletravail|de chez moi|de chez lui|de chez elle)",
            "travaille",
            value="home",
        ),
        form("workplace", r"travaille au bureau", "travaille", value="office"),
        form(
            "count",
            (f"{_HAVE} (?P<n>{_NUMBER}) (?:(?:petits?|jeunes|grands?) )?(?P<k>{either(_COUNTED)}){_TAIL}"),
            _COUNTED,
        ),
        form("count", rf"(?:{_AM} )?(?:mere|pere) de (?P<n>{_NUMBER})(?: enfants)?(?P<k>)", "mere, pere"),
        form(
            "has",
            (
                rf"{_HAVE} une? (?P<k>{either(_PETS)})(?P<a>(?: [^\W\d_]+)?)(?: (?:appelee?|nommee?|"
                f"qui s appelle) (?P<v>{_NAME}))?"
            ),
            _PETS,
        ),
        form(
            "marital",
            rf"{_AM} (?P<v>celibataire|mariee?|divorcee?|fiancee?|veuf|veuve|separee?|pacsee?){_TAIL}",
            (
                "celibataire, marie, mariee, divorce, divorcee, fiance, fiancee, veuf, veuve,"
                " separe, separee, pacse, pacsee"
            ),
        ),
        form("age", r"(?:ai|a) (?:eu )?(?P<n>\d{1,3}) ans", "ans"),
        form("allergy", rf"(?:{_AM} )?allergique (?:aux?|a la|a l|a) (?P<v>{_NAME})", "allergique"),
        form("allergy", rf"{_HAVE} une allergie (?:aux?|a la|a l|a) (?P<v>{_NAME})", "allergie"),
        form("speaks", rf"parle(?: couramment| bien| un peu)? (?:l )?(?P<v>{_LANGUAGES})", "parle"),
        form(
            "eating",
            (
                f"{_AM} (?P<v>vegetarienn?e?|vegane?|vegetalienn?e?|pescetarienn?e?)|mange (?P<n>vegan|"
                "vegetarien)"
            ),
            ("vegetarien, vegetarienne, vegan, vegane, vegetalien, vegetalienne, pescetarien, pescetarienne"),
        ),
        form(
            "eating",
            r"mange (?:de la |de )?viande(?P<tail> (?:quand|le|si|seulement|au) .+)?",
            "mange",
            value="omnivore",
        ),
        form(
            "takes",
            rf"(?:bois|boit|mange) (?:de la |de l |du |des |de |d )?(?P<v>{_TAKEN}){_TAIL}",
            "bois, boit, mange",
        ),
        form("takes", rf"(?:fume|{_AM} fumeur|{_AM} fumeuse){_TAIL}", "fume, fumeur, fumeuse", value="smoke"),
        form(
            "takes",
            rf"{_HAVE} arrete (?:de fumer|la cigarette|le tabac)|{_AM} non fumeur",
            "fumer, cigarette, tabac, fumeur",
            value="smoke",
            denies=True,
        ),
        form(
            "car",
            (
                f"(?:conduis|conduit|roule en|{_HAVE}|{_HAVE} achete) (?:une? )?(?:vieille |"
                f"nouvelle )?(?P<v>{_CARS}){_TAIL}"
            ),
            lasts(BRANDS),
        ),
        form(
            "wakes",
            (
                r"me leve a (?P<v>\d{1,2} ?h(?: ?\d{2})?|\d{1,2} heures)"
                r"|se leve a (?P<n>\d{1,2} ?h(?: ?\d{2})?|\d{1,2} heures)"
            ),
            "leve",
        ),
        form("name", rf"nom est (?P<v>{_NAME})|(?:m|s) appelle (?P<n>{_NAME})", "nom, appelle"),
        form("called", rf"(?:appelle|appelez) moi (?P<v>{_NAME})", "appelle, appelez"),
        form("tenure", r"(?:suis|est) (?P<v>locataire|proprietaire)(?: de .+)?", "locataire, proprietaire"),
        form(
            "favorite",
            rf"(?P<k>[^\W\d_]+) (?:preferee?|favorite?) (?:est|:) {_A}(?P<v>{_NAME})",
            "prefere, preferee, favori, favorite",
            "est, :",
        ),
    ),
    joints=(
        " , (?:et |mais )?| (?:et|mais) (?=(?:j|je|nous|il|elle|on|ai|a|suis|est|habite|"
        r"travaille|parle|aime|mange|bois|boit)\b)"
    ),
    passing=(
        r"en ce moment|de nouveau|a nouveau|depuis (?:peu|\d{4}|janvier|fevrier|mars|"
        "avril|mai|juin|juillet|aout|septembre|octobre|novembre|decembre)|"
        "(?:le mois|la semaine|l annee|l an|l ete|l hiver) (?:dernier|derniere|passe)"
        r"|il y a \w+ (?:ans?|mois|semaines?)|"
        "maintenant|actuellement|desormais|aussi|encore|toujours|deja|enfin|recemment|"
        "souvent|normalement|en fait|au fait|vraiment|tres|couramment|dorenavant|n|"
        "ne|s il te plait"
    ),
    denying=r"plus|pas|jamais",
    people=own(
        "femme, mari, partenaire, copain, copine, fils, fille, mere, pere, frere, soeur, "
        "grand mere, grand pere, oncle, tante, cousin, cousine, patron, patronne, collegue, "
        "parents, enfants, chien, chat, famille, ami, amie, voisin, voisine, ex, neveu, niece, "
        "conjoint, conjointe"
    ),
    speaker="je|j|nous|il|elle|on|l utilisateur|l utilisatrice|utilisateur",
    possessive="mon|ma|mes|son|sa|ses|notre|nos|le|la|les|l",
    dressing=r"(?:ai|a|avons) (?:demenage|change de travail|change de metier|demissionne)",
    depending=r"(?:avec|dans|en|au|depuis|parce|pres|sur|seule?|ensemble|ou|qui)\b",
    conditions=(
        "(?:quand|lorsque|pendant|le (?:week end|lundi|mardi|mercredi|jeudi|vendredi|"
        r"samedi|dimanche|soir|matin)|en (?:hiver|ete|voyage))\b"
    ),
    leads={
        "home": "habite, habitons, vis, vit, reside, demenage, demenager, emmenage, emmenager",
        "work": (
            "travaille, travaillons, metier, profession, devenu, devenue, rejoint, embauche,"
            " embauchee, retraite, "
        )
        + lasts(_JOBS),
        "children": _CHILDREN,
        "eating": "vegetarien, vegetarienne, vegan, vegane, vegetalien, vegetalienne, viande",
        "smokes": "fume, fumer, fumeur, fumeuse, cigarette, tabac",
        "allergy": "allergique, allergie",
        "marital": (
            "celibataire, marie, mariee, divorce, divorcee, fiance, fiancee, veuf, veuve, separe, separee"
        ),
        "car": "conduis, conduit, roule, voiture",
        "called": "appelle, appelez, nom",
        "wakes": "leve",
        "age": "ans",
    },
    kinds={
        "enfants": "enfant",
        "child": "enfant",
        "filles": "fille",
        "chiens": "chien",
        "chats": "chat",
        "chevaux": "cheval",
        "lapins": "lapin",
        "deux": "2",
        "trois": "3",
        "quatre": "4",
        "cinq": "5",
        "six": "6",
        "sept": "7",
        "huit": "8",
        "neuf": "9",
        "dix": "10",
        "vegetarien": "vegetarian",
        "vegetarienne": "vegetarian",
        "vegane": "vegan",
        "vegetalien": "vegan",
        "vegetalienne": "vegan",
        "pescetarien": "pescatarian",
        "pescetarienne": "pescatarian",
        "mariee": "marie",
        "divorcee": "divorce",
        "fiancee": "fiance",
        "separee": "separe",
        "veuve": "veuf",
        "retraitee": "retraite",
        "noix": "noix",
        "professeure": "professeur",
    },
)
