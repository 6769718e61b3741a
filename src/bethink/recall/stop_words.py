"""Stop words of all languages: words that searching ignores, unless a question has no others."""

from __future__ import annotations

from typing import Final

# Words that say how a sentence is built, not what it is about. One set for all languages, so that no language has to
# be guessed; a word that carries meaning in another of them (die, war, son, main, pour, hat …) is left out.
_LISTED: Final = """
    a about after again all also although am an and any are as at be because been before being between both
    but by can cannot could did do does doing done down during each either else ever few for from further
    get gets getting go goes going got had has have having he her here hers herself him himself his how
    however i if in into is it its itself just kind let lot many me might more most much must my myself
    neither no nor not now of off often on once one only or other our ours ourselves out over own quite
    rather really same shall she should so some something sort still such than that the their theirs them
    themselves then there these they thing things this those though through to too type under until up upon
    us very was we were what when where whether which while who whom whose why will with within without
    would yes yet you your yours yourself yourselves aber als andere auch auf aus bei beim bin bis bist da
    damit dann das dass dein deine dem den denn der des dich doch dort durch ein eine einem einen einer
    eines er es euch euer fur gegen habe haben hatte hier ich ihm ihn ihr ihre im ist ja jede jeder jetzt
    kann kein keine mein meine mich mir mit nach nicht noch nur ob oder ohne schon sehr sein seine sich sie
    sind soll und uns unser vom von vor wann warum weil welche welcher wenn wer werden wie wieder wir wird
    wo wurde zu zum zur uber alors au aucun aussi autre aux avec avoir c ce cela ces cet cette ceux chez
    comme d dans de depuis deux du elle elles en encore est et etait ete etre eux fait il ils j je l la le
    les leur leurs lui m mais mes meme moi mon n ne nos notre nous ou par parce pas peu plus pourquoi qu
    quand que quel quelle qui s sa se ses si sont sur t ta te tes toi ton tous tout tres tu un une vos votre
    vous y al algo antes como con cual cuando del desde donde el ella ellas ellos entre era eran esa ese eso
    esta este esto estos fue ha hasta hay las lo los mas mi mis muy nada ni nosotros o os otra otro para
    pero poco por porque quien ser sido sin sobre su sus tambien tengo tiene todo tus una uno unos usted ya
    yo
"""
STOP_WORDS: Final = frozenset(_LISTED.split())
