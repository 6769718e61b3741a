"""How everyday facts are told in Spanish."""

from __future__ import annotations

from typing import Final

from bethink.lifecycle.consolidate.facts.book import Book, either, form, lasts, own
from bethink.lifecycle.consolidate.facts.brands import BRANDS

_AM: Final = "(?:soy|es|somos|estoy|esta|estamos)"
_HAVE: Final = "(?:tengo|tiene|tenemos)"
_A: Final = "(?:una? |el |la |los |las )?"
_WORD: Final = (
    "(?!(?:una?|el|la|los|las|mi|mis|su|sus|con|en|a|al|por|para|y|desde|porque|"
    r"cerca|casa|como)\b)[^\W_]+"
)
_NAME: Final = rf"{_WORD}(?: (?!(?:con|en|a|al|por|para|y|desde|porque|cerca|como)\b)[^\W_]+){{0,2}}?"
_TAIL: Final = (
    "(?P<tail> (?:con|en|a|al|por|para|desde|porque|cerca|como|cuando|los|las) .+| solo| sola| juntos)?"
)
_JOBS: Final = """
abogado, abogada, actor, actriz, agricultor, agricultora, albanil, arquitecto, arquitecta, artista, bibliotecario,
bibliotecaria, bombero, bombera, cajero, cajera, camarero, camarera, camionero, camionera, cantante, carnicero,
carpintero, cartero, cartera, chef, cientifico, cientifica, cirujano, cirujana, cocinero, cocinera, conductor,
conductora, contable, contador, contadora, dentista, dependiente, dependienta, desarrollador, desarrolladora,
disenador, disenadora, economista, electricista, enfermero, enfermera, escritor, escritora, estudiante, farmaceutico,
farmaceutica, florista, fontanero, fontanera, fotografo, fotografa, funcionario, funcionaria, informatico,
informatica, ingeniero, ingeniera, jardinero, jardinera, jubilado, jubilada, juez, jueza, maestro, maestra, mecanico,
mecanica, medico, medica, musico, notario, panadero, panadera, peluquero, peluquera, periodista, piloto, pintor,
pintora, policia, profesor, profesora, programador, programadora, psicologo, psicologa, secretario, secretaria,
soldado, taxista, traductor, traductora, vendedor, vendedora, veterinario, veterinaria
"""
_CHILDREN: Final = "hijo, hijos, hija, hijas, ninos"
_PETS: Final = (
    "perro, perros, perra, gato, gatos, gata, caballo, caballos, conejo, conejos,"
    " hamster, loro, loros, gallinas, cabras, pajaro, pajaros"
)
_COUNTED: Final = f"{_CHILDREN}, {_PETS}, hermanos, hermanas, nietos, coches, bicis"
_NUMBER: Final = r"(?:\d{1,3}|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez)"
_TAKEN: Final = either(
    "alcohol, vino, cerveza, cafe, te, leche, pescado, cerdo, ternera, azucar, gluten, pan, huevos, queso"
)
_CARS: Final = either(BRANDS)
_LANGUAGES: Final = either(
    "ingles, aleman, frances, espanol, italiano, portugues, holandes, danes, sueco,"
    " noruego, finlandes, polaco, checo, hungaro, rumano, griego, turco, ruso, "
    "ucraniano, arabe, hebreo, hindi, japones, chino, coreano, catalan, euskera,"
    " gallego"
)


SPANISH: Final = Book(
    forms=(
        form(
            "home",
            rf"(?:vivo|vive|vivimos|resido|reside) en (?P<v>{_NAME}){_TAIL}",
            "vivo, vive, vivimos, resido, reside",
        ),
        form(
            "home",
            (
                "(?:(?:me |se |nos )?(?:he |ha |hemos )?(?:mudado|mude|mudo|mudamos|trasladado|"
                f"traslade|traslado)|vive ya)(?: de {_NAME})? (?:a|en) (?P<v>{_NAME}){_TAIL}"
            ),
            "mudado, mude, mudo, mudamos, trasladado, traslade, traslado",
        ),
        form(
            "job",
            (
                f"(?:trabajo|trabaja) (?:como|de) {_A}(?P<v>{_NAME})(?: (?:en|para) {_A}(?P<o>{_NAME})"
                f")?{_TAIL}"
            ),
            "trabajo, trabaja",
        ),
        form(
            "job",
            (
                f"(?:soy|es|(?:me |se )?(?:he|ha) (?:hecho|convertido en)) {_A}(?P<v>(?:{either(_JOBS)})"
                f")(?: (?:en|para|de) {_A}(?P<o>{_NAME}))?{_TAIL}"
            ),
            lasts(_JOBS),
        ),
        form("job", rf"(?:profesion|oficio) (?:es|:) {_A}(?P<v>{_NAME})", "profesion, oficio"),
        form(
            "job",
            r"(?:me |se )?(?:estoy|esta|he|ha)? ?(?:jubilado|jubilada|jubile|jubilo)",
            "jubilado, jubilada, jubile, jubilo",
            value="jubilado",
        ),
        form(
            "employer",
            rf"(?:trabajo|trabaja) (?:en|para) {_A}(?P<v>{_NAME})(?: como {_A}(?P<o>{_NAME}))?{_TAIL}",
            "trabajo, trabaja",
        ),
        form(
            "employer",
            rf"(?:he |ha )?(?:empezado|empece|empezo)(?: a trabajar)? en (?P<v>{_NAME})",
            "empezado, empece, empezo",
        ),
        form(
            "workplace",
            r"(?:trabajo|trabaja) (?:desde casa|en casa|en remoto)",
            "trabajo, trabaja",
            value="home",
        ),
        form("workplace", r"(?:trabajo|trabaja) (?:en|desde) la oficina", "trabajo, trabaja", value="office"),
        form(
            "count", rf"{_HAVE} (?P<n>{_NUMBER}) (?P<k>{either(_COUNTED)})(?: [^\W\d_]+s)?{_TAIL}", _COUNTED
        ),
        form("count", rf"(?:{_AM} )?(?:madre|padre) de (?P<n>{_NUMBER})(?: hijos)?(?P<k>)", "madre, padre"),
        form(
            "has",
            (
                rf"{_HAVE} una? (?P<k>{either(_PETS)})(?P<a>(?: [^\W\d_]+)?)(?: (?:llamad[oa]|"
                f"que se llama) (?P<v>{_NAME}))?"
            ),
            _PETS,
        ),
        form(
            "marital",
            rf"{_AM} (?P<v>solter[oa]|casad[oa]|divorciad[oa]|viud[oa]|separad[oa]|prometid[oa]){_TAIL}",
            (
                "soltero, soltera, casado, casada, divorciado, divorciada, viudo, viuda, separado,"
                " separada, prometido, prometida"
            ),
        ),
        form("marital", r"(?:me |se )(?:he |ha )?(?:casado|case|caso)", "casado, case, caso", value="casado"),
        form("age", r"(?:tengo|tiene|he cumplido|ha cumplido|cumpli|cumplio) (?P<n>\d{1,3}) anos", "anos"),
        form(
            "allergy",
            rf"(?:{_AM} )?alergic[oa] (?:al|a las|a los|a la|a) (?P<v>{_NAME})",
            "alergico, alergica",
        ),
        form("allergy", rf"{_HAVE} alergia (?:al|a las|a los|a la|a) (?P<v>{_NAME})", "alergia"),
        form("speaks", rf"(?:hablo|habla)(?: bien| un poco de)? (?P<v>{_LANGUAGES})", "hablo, habla"),
        form(
            "eating",
            rf"{_AM} (?P<v>vegetarian[oa]|vegan[oa]|pescetarian[oa])",
            "vegetariano, vegetariana, vegano, vegana, pescetariano, pescetariana",
        ),
        form(
            "eating",
            r"(?:como|come|vuelvo a comer|vuelve a comer) carne(?P<tail> (?:cuando|los|si|solo|en) .+)?",
            "carne",
            value="omnivore",
        ),
        form(
            "takes",
            rf"(?:bebo|bebe|tomo|toma|como|come|vuelvo a beber|vuelve a beber) (?P<v>{_TAKEN}){_TAIL}",
            "bebo, bebe, tomo, toma, como, come, beber",
        ),
        form(
            "takes",
            rf"(?:fumo|fuma|soy fumador|soy fumadora|es fumador|es fumadora){_TAIL}",
            "fumo, fuma, fumador, fumadora",
            value="smoke",
        ),
        form(
            "takes",
            r"(?:he |ha )?(?:dejado|deje|dejo) (?:de fumar|el tabaco)",
            "fumar, tabaco",
            value="smoke",
            denies=True,
        ),
        form(
            "car",
            (
                "(?:conduzco|conduce|tengo|tiene|he comprado|ha comprado) un (?:viejo |nuevo "
                f")?(?P<v>{_CARS}){_TAIL}"
            ),
            lasts(BRANDS),
        ),
        form(
            "wakes",
            r"(?:me levanto|se levanta) a las (?P<v>\d{1,2}|cinco|seis|siete|ocho|nueve)",
            "levanto, levanta",
        ),
        form(
            "name", rf"nombre es (?P<v>{_NAME})|(?:me llamo|se llama) (?P<n>{_NAME})", "nombre, llamo, llama"
        ),
        form("called", rf"(?:llamame|llamadme|llameme) (?P<v>{_NAME})", "llamame, llamadme, llameme"),
        form(
            "favorite",
            rf"(?P<k>[^\W\d_]+) (?:favorit[oa]|preferid[oa]) (?:es|:) {_A}(?P<v>{_NAME})",
            "favorito, favorita, preferido, preferida",
        ),
    ),
    joints=(
        " , (?:y |pero )?| (?:y|pero) (?=(?:yo|tengo|tiene|soy|es|vivo|vive|trabajo|"
        r"trabaja|hablo|habla|me|le|como|come|bebo|bebe)\b)"
    ),
    passing=(
        r"en este momento|otra vez|de nuevo|desde (?:hace \w+ (?:anos?|meses|semanas?)"
        r"|\d{4}|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|"
        "noviembre|diciembre)|"
        r"(?:el mes|la semana|el ano|el verano|el invierno) (?:pasado|pasada)|hace \w+ "
        "(?:anos?|meses|semanas?|mes)|"
        "ahora|actualmente|tambien|todavia|aun|siempre|por fin|recientemente|acabo "
        "de|normalmente|realmente|muy|mucho|por cierto|por favor|hoy en dia"
    ),
    denying=r"ya no|no|nunca|jamas",
    people=own(
        "mujer, marido, esposo, esposa, pareja, novio, novia, hijo, hija, madre, padre, "
        "hermano, hermana, abuelo, abuela, tio, tia, primo, prima, jefe, jefa, colega, padres, "
        "hijos, perro, gato, familia, amigo, amiga, vecino, vecina, ex, sobrino, sobrina"
    ),
    speaker="yo|nosotros|el usuario|la usuaria|usuario",
    possessive="mi|mis|su|sus|nuestro|nuestra|el|la|los|las",
    dressing=r"(?:nos hemos|me he|se ha) mudado|he cambiado de trabajo|ha cambiado de trabajo",
    depending=r"(?:con|en|desde|porque|cerca|donde|que|solo|sola|juntos)\b",
    conditions=(
        "(?:cuando|si|durante|los (?:fines|lunes|martes|miercoles|jueves|viernes|sabados|"
        r"domingos)|en (?:invierno|verano|vacaciones))\b"
    ),
    leads={
        "home": "vivo, vive, vivimos, resido, reside, mudado, mude, mudo, trasladado",
        "work": "trabajo, trabaja, profesion, oficio, empezado, empece, empezo, " + _JOBS,
        "children": _CHILDREN,
        "eating": "vegetariano, vegetariana, vegano, vegana, carne",
        "smokes": "fumo, fuma, fumar, fumador, fumadora, tabaco",
        "allergy": "alergico, alergica, alergia",
        "marital": "soltero, soltera, casado, casada, divorciado, divorciada, viudo, viuda, separado, separada",
        "car": "conduzco, conduce, coche",
        "called": "llamo, llama, llamame, nombre",
        "wakes": "levanto, levanta",
        "age": "anos",
    },
    kinds={
        "hijos": "hijo",
        "hijas": "hija",
        "ninos": "hijo",
        "child": "hijo",
        "perros": "perro",
        "gatos": "gato",
        "caballos": "caballo",
        "conejos": "conejo",
        "dos": "2",
        "tres": "3",
        "cuatro": "4",
        "cinco": "5",
        "seis": "6",
        "siete": "7",
        "ocho": "8",
        "nueve": "9",
        "diez": "10",
        "vegetariano": "vegetarian",
        "vegetariana": "vegetarian",
        "vegano": "vegan",
        "vegana": "vegan",
        "pescetariano": "pescatarian",
        "pescetariana": "pescatarian",
        "soltera": "soltero",
        "casada": "casado",
        "divorciada": "divorciado",
        "viuda": "viudo",
        "separada": "separado",
        "prometida": "prometido",
        "jubilada": "jubilado",
    },
)
