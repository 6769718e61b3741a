"""How statements are made in Spanish."""

from __future__ import annotations

from bethink.lifecycle.distill.languages.furniture import Phrasebook

FAMILY = (
    r"(?:mujer|esposa|marido|esposo|pareja|novi[oa]|hij[oa]s?|niñ[oa]s?|bebé|gemel[oa]s|madre|padre"
    r"|padres|mamá|papá|herman[oa]s?|abuel[oa]s?|tí[oa]s?"
    r"|suegr[oa]s?|familia|perr[oa]s?|gat[oa]s?)"
)
OTHERS = (
    r"(?:jef[ea]|compañer[oa]s?|colegas?|vecin[oa]s?|clientes?|amig[oa]s?|profesora?|caser[oa]"
    r"|encargad[oa]|ex|supervisora?)"
)
HEALTH = (
    r"(?:al[eé]rgi\w*|intoleran\w*|cel[ií]ac[oa]|diab[eé]t\w*|asma|asmátic[oa]|epil[eé]p\w*|migrañas?"
    r"|dislexi\w*|disléxic[oa]|silla de ruedas|embarazada"
    r"|sord[oa]|daltónic[oa]|cieg[oa]|claustrof\w*|vértigo|anticoagulantes|hipertens\w*|artrosis|muletas)"
)
NUMBER = r"(?:una?|dos|tres|cuatro|cinco|seis|vari[oa]s|\d+)"
OWNED = (
    r"(?:perr[oa]s?|gat[oa]s?|mascotas?|conejos?|caballos?|hij[oa]s?|niñ[oa]s?|bebé|herman[oa]s?|coche"
    r"|carro|bici|bicicleta|moto|casa|piso|jardín|terraza"
    r"|carné|licencia|visado|visa|pasaporte|tarjeta|abono|carrera|empresa|gemel[oa]s)"
)
THING = (
    r"(?:cumpleaños|aniversario|trabajo|empresa|equipo|oficina|casa|piso|coche|bici|ordenador|portátil"
    r"|móvil|afición|idioma|lengua|zona horaria|talla"
    r"|dieta|objetivo|api|servidor|backend|proyecto|nombre|apellido|horario)"
)
ASKED = (
    r"(?:res[eé]rva\w*|enséña\w*|muéstra\w*|búsca\w*|busca|encuéntra\w*|encuentra|dame|dime|envía\w*|haz"
    r"|crea|escribe|traduce|explica\w*|añade|borra|elimina"
    r"|cambia|cancela|mueve|pide|compra|compara|recuérdame|ayúda\w*|abre|pon|planea|planifica|sugiere"
    r"|corrige|resume|calcula|revisa|prepara|vamos con)"
)
ASKING = (
    r"(?:puedes|podrías|me (?:puedes|buscas|recomiendas|ayudas)|hay|tienes|qué|cuál(?:es)?|dónde|cómo"
    r"|cuándo|cuánto|sabes)"
)
MONTH = r"(?P<month>enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)"
ONCE = (
    r"(?:(?:solo |sólo )?(?:para |por |en |durante )?(?:esta (?:vez|reserva|semana|noche|sesión|ocasión"
    r"|visita|estancia|compra)"
    r"|este (?:viaje|vuelo|mes|fin de semana|pedido|trayecto))|(?:solo |sólo )?(?:por |para )?hoy|de "
    r"momento|por ahora|por el momento|ahora mismo"
    r"|temporalmente|excepcionalmente)"
)

BOOK = Phrasebook(
    code="es",
    cuts=(
        rf"(?:,|;| -| –|—)\s*(?:así que |y |pero )?¿?(?=(?:{ASKING})\b[^.]*\?)",
        r";\s+",
        r",?\s+pero (?=(?:no )?(?:soy|puedo|tengo|odio|me|prefiero)\b)",
        (
            rf"^(?:{ASKED}|hola|gracias)\b[^,?]*(?P<cut>,)\s*(?=(?:yo |mi |soy|prefiero|tengo|vivo|necesito"
            r"|no puedo|me gusta)\b)"
        ),
        r"\?\s*(?=[A-ZÁÉÍÓÚ¡¿])",
    ),
    fillers=(
        r"¡?(?:hola|buenos días|buenas(?: tardes| noches)?|(?:muchas )?gracias|perfecto|genial|vale|ok"
        r"|por cierto|a propósito|para que (?:lo )?sepas"
        r"|que sepas que|(?:deberías|tienes que) saber que|quer[ií]a decir(?:te)? que|te cuento que|eh|ah"
        r"|oh|bueno|pues|mmm+|este|entonces|y|pero"
        r"|sinceramente|francamente|la verdad(?: es que)?|para ser sincer[oa]|además|también|sí|claro"
        r"|no,? gracias|por desgracia|como (?:te )?dije)!?"
    ),
    openers=(
        r"(?:yo|mi|mis|me|soy|tengo|vivo|trabajo|prefiero|no|nunca|siempre|recuerda|ten en cuenta|anota"
        r"|acuérdate|puedes|por favor|estoy|a partir|de ahora|esta|para|odio)\b"
    ),
    polite=r"(?:por favor|porfa)",
    tails=r"(?:por favor|porfa|gracias|vale|por cierto|sabes|ok)",
    revisions=(
        r"(?:en realidad|(?:no|digo|espera)(?=\s*[,.!:;…–—])|perdona?|perdón|lo siento|corrección|ups"
        r"|mejor dicho|de hecho|al final|más bien)"
    ),
    memory_requests=(
        r"(?:(?:puedes|podrías) )?(?:por favor,? )?(?:recuerda|recordar|acuérdate(?: de)?|ten (?:en "
        r"cuenta|presente)|tener en cuenta|anota|anotar|apunta|apuntar"
        r"|toma nota(?: de)?|no (?:te )?olvides(?: de)?|memoriza|guarda|nota)(?: que\b|\s*:)"
    ),
    negated_memory=(
        r"\bno (?:lo |la |te )?(?:recuerdes|guardes|anotes|apuntes|memorices|registres)\b|\bno hace "
        r"falta que (?:lo )?(?:guardes|anotes|recuerdes|apuntes)\b"
        r"|\b(?:olvida|olvídate de) (?:eso|esto|lo que|todo)\b|\bentre nosotros\b"
    ),
    handing_over=(
        r"\b(?:trad[uú][cz]\w*|res[uú]m\w*|corrig\w*|corrige|reformula\w*|revisa\w*|mejora\w*|analiza\w*"
        r"|acorta\w*)\b[^:\n]*(?::|\bsiguiente\w*\b)"
        r"|\b(?:aquí (?:está|tienes|va)|este es) (?:el|la|un|una|mi) (?:texto|correo|e-?mail|mensaje"
        r"|carta|artículo|log|borrador)\b[^.\n]*:"
    ),
    question=(
        r"\?\s*$|^[¡ ]*¿|^(?:qué|cuál(?:es)?|cuándo|cuánt[oa]s?|dónde|adónde|por qué|quién|cómo)\b"
        r"|^(?:puedes|podrías|sabes|tienes|debería|puedo|conoces) "
        r"(?:tú|yo|decirme|hacer|ver|mi|mis)\b"
    ),
    vetoes=(
        (
            "hypothetical",
            (
                r"\bsi (?:yo )?(?:fuera|fuese|tuviera|tuviese|pudiera|viviera|ganara|me mudara|estuviera"
                r"|hubiera)\b|\bimagin(?:a|emos|ate)\b|\bimagínate\b|\bsupon(?:gamos|iendo|te)\b"
                r"|\by si\b|\bojalá\b|\ben teoría\b|\bhipot"
            ),
        ),
        (
            "third_party",
            (
                r"^(?:él\b|ella\b|ellos\b|ellas\b|alguien\b|la gente\b|todos\b|muchos\b|(?:a )?(?:mi|mis"
                rf"|nuestro|nuestra|el|la|un|una) {OTHERS}\b)"
                rf"|\b(?:él|ella|{OTHERS}) (?:me )?(?:dijo|dice|decía|cree|piensa|opina|contó|escribió)\b"
                r"|^me (?:dijo|dijeron|contó)\b|^según\b"
            ),
        ),
        (
            "speculation",
            (
                r"\b(?:quizás?|tal vez|a lo mejor|probablemente|posiblemente|puede que|igual me|algún día"
                r"|creo que|pienso que|supongo|no estoy (?:muy )?segur[oa]|me pregunto|podría"
                r"|estoy pensando|espero que|sueño con|ni idea|me imagino)\b"
            ),
        ),
        (
            "request",
            (
                r"\b(?:quiero|quisiera|me gustaría|necesito) que (?:me )?\w+|\b(?:quiero|quisiera|me gustaría"
                r"|necesito|tengo que|quería) (?:reservar|comprar|cambiar|cancelar|pedir|saber"
                r"|preguntar|encontrar|ver|alquilar|planear|entender|escribir|ayuda)\b|\bayúdame\b"
                r"|\brecuérdame\b"
            ),
        ),
        (
            "ephemeral",
            (
                r"^mañana\b|(?<!por la )(?<!de la )(?<!por las )\bmañana (?:a las|tengo|salgo|voy)\b"
                r"|\bayer\b|\besta (?:mañana|tarde)\b|\bdentro de una hora\b"
            ),
        ),
    ),
    finds=(
        (
            "rule",
            (
                r"\b(?:a partir de ahora|de ahora en adelante|desde ahora|de aquí en adelante|en el futuro"
                r"|en adelante|a partir de hoy|cada vez que (?:me )?\w+s)\b"
                r"|^(?:siempre|nunca) (?:respond\w+|us\w+|escrib\w+|incluy\w+|contest\w+|añad\w+)|^no (?:uses"
                r"|añadas|incluyas|escribas|sugieras|pongas|propongas|envíes|menciones)\b"
                r"|^(?:sin|nada de) \w+$|^(?:evita|tutéame|trátame)\b"
            ),
        ),
        (
            "correction",
            (
                r"\b(?:me (?:he )?mud(?:é|ado)|(?:he cambiado|cambié) de (?:trabajo|casa|ciudad|empresa|idea)"
                r"|me (?:he )?pas(?:é|ado) (?:de|a)|(?:he dejado|dejé) de|(?:he dejado|dejé) (?:el|la|mi))\b"
                r"|\bya no (?!me queda|hay|funciona|sé)\w+"
            ),
        ),
        (
            "constraint",
            (
                rf"\b(?:soy|tengo|sufro|padezco|estoy|me desplazo|uso|tomo|voy)\b.{{0,40}}\b{HEALTH}\b"
                rf"|\b(?:mi|mis|nuestro|nuestra) {FAMILY}\b.{{0,30}}\b(?:{HEALTH}|no (?:come|bebe|puede"
                r"|tolera"
                r"|comen|beben|pueden|toleran))\b"
                r"|\bno (?:tolero|soporto (?:la lactosa|el gluten|los lácteos))\b|\bno (?:puedo|podemos) "
                r"(?:comer|beber|tomar|estar|caminar|volar|conducir|trabajar|llevar|subir|dormir|viajar"
                r"|cargar"
                r"|oír|ver|andar)\b(?! (?:el archivo|la página|nada))|\b(?:solo|sólo|únicamente) (?:puedo"
                r"|podemos|estoy)\b|\b(?:puedo|estoy) (?:solo|sólo|únicamente)\b"
                r"|\bno (?:como|bebo|fumo|tomo|conduzco|hablo|trabajo) (?!en eso|nada de eso|con esto)\w+"
                r"|\b(?:mi|nuestro) (?:\w+ )?presupuesto\b|\bcomo máximo\b.*\beuros\b"
                rf"|\b(?:me da|tengo|me dan) (?:mucho |un poco de )?(?:miedo|pánico|fobia)\b|\bme mareo\b"
                r"|\b(?:mi|el|la) (?:médic[oa]|doctora?|dentista|fisio\w*|cardiólog[oa])\b.*\bme\b|\bpor "
                r"(?:mi|mis) (?:espalda|rodillas?|cadera|ojos|corazón|salud)\b"
                r"|\bnecesito (?:siempre )?.*\b(?:accesible|siempre|ascensor|tranquil[oa]|sin gluten"
                r"|subtítulos)\b"
            ),
        ),
        (
            "preference",
            (
                r"\b(?:prefiero|preferimos|odio|odiamos|detesto|adoro|evito|aborrezco)\b(?! (?:est[eao]"
                r"|es[eao]|tu|la (?:segunda|primera)|el (?:segundo|primero))\b)"
                r"|\b(?:me|nos) (?:encantan?|gustan?|chiflan?|fascinan?|molestan?|apetecen?|disgustan?"
                r"|agobian?|estresan?)\b(?! (?:mucho )?(?:est[eao]s?|es[eao]s?|tu|cómo|la (?:segunda|primera"
                r"|última|idea|roja|azul)"
                r"|el (?:segundo|primero|último))\b)(?=.*\w)(?!$)|\bno (?:soporto|aguanto)\b(?! (?:est[eao]"
                r"|es[eao]|más)\b)|\bno me (?:gustan?|van?|entusiasman?|interesan?)\b(?! (?:est[eao]"
                r"|es[eao])\b)"
                r"|\b(?:mi|mis) .*\b(?:favorit[oa]s?|preferid[oa]s?)\b|\b(?:no )?soy (?:muy )?(?:fan|amante"
                r"|aficionad[oa]|de (?:café|té|madrugar|playa|montaña))\b"
                r"|^(?!es[oea]\b|est[oea]\b).*\b(?:no es lo mío|no son lo mío|no va conmigo|no van conmigo"
                r"|no es para mí)\b"
                r"|\b(?:es|son) (?:muy |realmente )?(?:importantes?|esencial\w*|imprescindibles?"
                r"|fundamental\w*) para mí\b|\bpara mí (?:es|son)\b.*\b(?:important|esencial|imprescindible"
                r"|fundamental)"
                r"|\b(?:siempre|nunca|normalmente|generalmente|por lo general|habitualmente|casi siempre"
                r"|casi nunca|rara vez) (?:me |le |lo )?(?!he |había|me (?:da|sale) (?:un )?error)\w+o\b"
                r"|\b(?:suelo|solemos)\b|\bvalor[oa] mucho\b|\bpara mí,? siempre\b"
            ),
        ),
        (
            "fact",
            (
                r"\b(?:vivo|vivimos|trabajo(?= (?:en|como|de|para|por|desde|con|a|cuatro|los|solo))"
                r"|trabajamos|resido|vengo de|enseño|estudio|aprendo|hablo|programo|desarrollo|uso|usamos"
                r"|utilizo|juego|corro|dirijo"
                r"|alquilo|practico|me llamo|bebo|como carne|nado|canto|pinto|cocino|conduzco|duermo"
                r"|colecciono|me dedico|nací|crecí)\b(?! (?:est[eao]|es[eao])\b)"
                r"|\bestoy (?:aprendiendo|estudiando|casad[oa]|divorciad[oa]|jubilad[oa]|soltero|soltera"
                r"|viviendo|trabajando (?:en|como|para|de)|en paro|a dieta)\b"
                r"|\bllevo (?:\w+ ){1,3}(?:viviendo|trabajando|estudiando|aprendiendo|en)\b|\bmi nombre "
                r"es\b|^(?:puedes |podéis )?(?:llamarme|llámame)\b"
                r"|\bsoy (?:(?:una? )?\w*(?:ist[ao]|[oe]ra?|ante|ente|ic[oa]|ian[oa]|tarian[oa]|ad[oa]|án|ol"
                r"|ola|és|esa|an[oa]|in[oa]|ec[oa]|ense|eñ[oa]|ogad[oa]|or|ora)|vegan[oa]|zurd[oa]|diestr[oa]"
                r"|de \w+|judí[oa]"
                r"|musulm\w+|católic[oa]|madre|padre|autónom[oa])\b(?! (?:yo|quien))|\bsomos (?:una? "
                rf"|{NUMBER}\b|\d)"
                rf"|\btengo (?:{NUMBER} )(?:\w+ )?{OWNED}\b|\btengo {OWNED}\b|\btengo \d+ años\b"
                rf"|\b(?:mi|mis|nuestro|nuestra) (?:\w+ )?{FAMILY} (?:\w+ )?(?:se llaman?|es|son|tienen?"
                r"|viven?|trabajan?|odian?|prefieren?|van?|estudian?|juegan?|comen?|no \w+|están?)\b"
                rf"|\ba (?:mi|mis) {FAMILY} (?:no )?les? \w+"
                rf"|\b(?:mi|mis|nuestro|nuestra) {THING} (?:es|son|cae|tiene|usa|corre|solo|sólo|no|despliega"
                r"|soporta|empieza|termina)\b(?! (?:rot[oa]|lent[oa]|caíd[oa]|funciona))"
            ),
        ),
        (
            "rule",
            r"^(?:por favor,? )?deja de \w+r\b",
        ),
        (
            "constraint",
            (
                r"\bno (?:debo|debemos|me dejan|me permiten|me está permitido)\b|\b(?:está|están) "
                r"prohibid[oa]s?\b|\bprohíbe\b|^(?:en (?:casa|mi casa|mi empresa|nuestra empresa|mi familia"
                r"|mi trabajo|el trabajo))\b"
                r"|^(?:solo|sólo|únicamente) (?!el\b|la\b|un\b|una\b|eso\b|esto\b|quería\b)\w+(?: "
                r"\w+){1,2}$|\bme (?:da|dan|pone|ponen) (?:ansiedad|dolor|alergia|mal|enferm[oa]"
                r"|nervios[oa]|náuseas)\b|\bme sienta mal\b|\bme sientan mal\b"
            ),
        ),
        (
            "preference",
            (
                r"^(?!es[oea]\b|est[oea]\b|tu\b).*\bme (?:agotan?|agobian?|cansan?|aburren?|deprimen?|ponen? "
                r"de|sacan? de|relajan?|desagradan?|incomodan?)\b|\b(?:yo )?soy más (?:de|bien)\b|\bmalas "
                r"experiencias\b|\bnunca más\b"
                r"|^(?:por la (?:mañana|tarde|noche)|de noche|después de|antes de|a partir de las) "
                r".*\b(?:no (?!hay|se|es)\w+o\b|no soy\b|no estoy\b|\w+o\b)|\b(?:por principio|si es posible"
                r"|en la medida de lo posible|por costumbre)\b|\b(?:procuro|intento|trato de) \w+"
            ),
        ),
        (
            "fact",
            (
                r"\b(?:en mi tiempo libre|los fines de semana|tod[oa]s l[oa]s \w+|cada (?:día|mañana|semana"
                r"|mes|año|verano|invierno)|una vez (?:a la|al|por) \w+|(?:dos|tres) veces (?:a la|al|por) "
                r"\w+|desde hace \w+)\b.*\b\w+(?:o|oy|mos)\b"
                r"|\b(?:voy|vamos|\w+o) .*\b(?:tod[oa]s l[oa]s \w+|cada (?:día|mañana|semana|mes|año)|una "
                r"vez (?:a la|al|por) \w+|(?:dos|tres) veces (?:a la|al|por) \w+|llueva o truene|en bici|a "
                r"pie|en metro)\b"
                r"|\b(?:acabamos|acabo) de (?:tener|adoptar|casar\w*|ser)\b|\b(?:hemos|he) (?:adoptado"
                rf"|tenido) \w+|^(?:mi|mis|nuestr[oa]s?) {FAMILY} (?!dice|dijo|cree|piensa|pregunta|quiere "
                r"saber)\w+"
            ),
        ),
        (
            "fact",
            (
                r"^(?:mi|mis|nuestr[oa]s?) (?!vuelo|pedido|paquete|código|script|pregunta|error|plan\b|cita"
                r"|tren\b|reserva|problema|idea|archivo|mensaje|batería|jef|compañer|amig|opinión)"
                r"\w+ (?:\w+ ){0,3}(?:es|son|tiene|corre|usa|paga|cierra|abre|no|cubre|permite) (?!lent[oa]"
                r"|rot[oa]|tarde|perdid[oa]|list[oa]|vací[oa]|funciona|está)\w+"
                r"|^(?!tenemos|podemos|debemos|queremos|hemos|vamos|estamos|vemos|necesitamos|buscamos"
                r"|quedamos)\w+(?:amos|emos|imos) (?!que\b|a ver)\w+"
            ),
        ),
    ),
    fragments=(
        r"^quise decir\b|^(?:no )?(?:en |el |la |los |las )*[\w ]{1,30}? no, (?:quise decir |sino |en "
        r"|el |la |los |las )*\w+"
        r"|^no (?!está|pasa|hay|sé|me|te|lo|es|importa)(?:en |el |la |los |las )[\w ]{1,30}?, (?:sino "
        r"|quise decir |en |el |la )*\w+"
        r"|^(?:en |el |la )*\w[\w ]{1,30}, no (?:en |el |la )\w+"
    ),
    this_once=rf"\b{ONCE}\b",
    finds_this_once=(
        r"\b(?:quiero|quisiera|me gustaría|prefiero|necesito|necesitamos|busco|puedo|queremos|estoy|me "
        r"hace falta|me apetece)\b"
        r"|\bpresupuesto\b|\bcomo máximo\b|^(?:solo|sólo|sin|nada)\b"
        r"|^(?:esta vez|para este viaje|por ahora|hoy|esta noche),? (?:mejor |pues )?(?:con|sin|una?|algo|más"
        r"|menos|nada|usa|use|pon|ponga|dame|deme|toma|elige|elija|viajo con)\b"
        r"(?!.*\b(?:fue|estuvo|funcionó|salió)\b)"
    ),
    leftovers=(
        (
            "assent",
            (
                r"^(?:(?:sí|si|no|ok|vale|exacto|exactamente|correcto|claro|eso es|así es|de acuerdo"
                r"|perfecto|por supuesto|adelante)[ ,.!¡]*)+$"
            ),
        ),
        (
            "request",
            rf"^{ASKED}\b|\b(?:quiero|quisiera|me gustaría|necesito|busco|me quedo con|voy a coger)\b",
        ),
        (
            "small_talk",
            (
                r"\b(?:gracias|hola|buenos días|buenas|genial|bien hecho|estupendo|cansad[oa]|agotad[oa]"
                r"|perdón|lo siento|content[oa]|adiós|hasta luego|me gusta|me encanta)\b"
            ),
        ),
    ),
    until=(
        r"\bhasta el (?:próximo )?(?P<weekday>lunes|martes|miércoles|jueves|viernes|sábado|domingo)\b",
        (
            r"\bhasta (?:el )?(?P<edge>final? (?:de )?(?:la |el |del |de )?(?P<unit>semana|mes|año))\b"
            r"|\bhasta (?P<edge_two>fin de (?P<unit_two>mes|año))\b"
        ),
        rf"\bhasta el (?P<day>\d{{1,2}}) de {MONTH}\b",
        rf"\bhasta (?:(?:finales|mediados|principios) de )?{MONTH}\b",
        (
            r"\b(?:durante|por|en) l[oa]s (?P<next>próxim[oa]s) (?:(?P<count>\w+) )?(?P<unit>días|semanas"
            r"|meses|años)\b"
        ),
        r"\bhasta (?P<near>mañana)\b|\b(?P<today>hoy|esta noche)\b",
        r"\best[ea] (?P<unit>semana|mes|año)\b",
    ),
    weekdays={"lunes": 0, "martes": 1, "miércoles": 2, "jueves": 3, "viernes": 4, "sábado": 5, "domingo": 6},
    months={
        "enero": 1,
        "febrero": 2,
        "marzo": 3,
        "abril": 4,
        "mayo": 5,
        "junio": 6,
        "julio": 7,
        "agosto": 8,
        "septiembre": 9,
        "octubre": 10,
        "noviembre": 11,
        "diciembre": 12,
    },
    numbers={
        "dos": 2,
        "tres": 3,
        "cuatro": 4,
        "cinco": 5,
        "seis": 6,
        "siete": 7,
        "ocho": 8,
        "nueve": 9,
        "diez": 10,
        "doce": 12,
    },
    units={
        "día": 1,
        "días": 1,
        "semana": 7,
        "semanas": 7,
        "mes": 30,
        "meses": 30,
        "año": 365,
        "años": 365,
    },
    topics={
        "seat": r"\b(?:asientos?|pasillo|ventanilla)\b",
        "flight": r"\b(?:vuelos?|volar|avión|aerolínea|ventanilla)\b",
        "dietary": (
            r"\b(?:vegetarian[oa]|vegan[oa]|gluten|lactosa|leche|al[eé]rgi\w*|frutos secos|carne|cerdo"
            r"|sal|azúcar|alcohol|halal|marisco|celíac[oa])\b"
        ),
        "food": (
            r"\b(?:com(?:er|ida|o)|platos?|cocina|restaurante|café|té|desayuno|cena|picante|vino|pizza"
            r"|paella|bebo)\b"
        ),
        "room": r"\b(?:habitación|cama|cuna|terraza|vistas|planta)\b",
        "hotel": r"\b(?:hotel(?:es)?|alojo|alojamiento|hostal)\b",
        "baggage": r"\b(?:equipaje|maletas?|facturo)\b",
        "budget": r"\b(?:presupuesto|euros?|precio|caro|barato)\b|[€$]",
        "train": r"\btren\b",
        "accessibility": r"\b(?:silla de ruedas|accesible|ascensor|sord[oa]|daltónic[oa])\b",
        "health": r"\b(?:médic[oa]|diab\w+|asma|espalda|embarazada|migraña|miedo|medicamento\w*)\b",
        "family": r"\b(?:mujer|marido|hij[oa]s?|padres|suegros|familia|herman[oa]s?|casad[oa]|bebé)\b",
        "pet": r"\b(?:perr[oa]s?|gat[oa]s?|mascotas?)\b",
        "city": r"\b(?:vivo|mudé|mudado|centro|ciudad)\b",
        "work": r"\b(?:trabajo|empresa|equipo|oficina|reuniones|reunión|turno|teletrabajo)\b",
        "language": r"\b(?:hablo|idioma|inglés|italiano|español|alemán|francés)\b",
        "name": r"\b(?:me llamo|nombre|llamarme|llámame)\b",
        "birthday": r"\bcumpleaños\b",
        "coding": r"\b(?:programo|código|python|java|kotlin|rust|go|linux|vim|pruebas|api|despliega)\b",
        "style": r"\b(?:respond\w*|respóndeme|brevemente|emojis?|tono|tutéame)\b",
        "schedule": (
            r"\b(?:lunes|martes|miércoles|jueves|viernes|sábados?|domingos?|mañanas|noches|madrugar"
            r"|levanto)\b"
        ),
        "reading": r"\b(?:leer|libros?|papel)\b",
    },
    common=(
        "casa después nuestro nuestra hemos el la los las yo soy es y de que en un una con para por no "
        "me mi mis tu se lo al del como más pero qué cuál cómo este esta eso muy bien gracias hola sí "
        "tengo estoy nunca siempre también sin hay a le ahora hasta cuando porque desde dos ya gusta "
        "vivo trabajo prefiero puedes buenos días favor cierto va uso odio llamo encanta puedo tomo bebo "
        "comer busco somos mejor ser estar tener hago recuerda necesito quiero nos ella él hoy solo"
    ),
)
