"""Irregular English forms (went, children) and the words that they belong to, for stemming."""

from __future__ import annotations

from typing import Final

# English forms that no stemmer brings together: the form, then the word it belongs to
_LISTED: Final = """
went go gone go bought buy took take taken take made make gave give given give came come saw see seen see
found find told tell said say felt feel met meet kept keep began begin begun begin brought bring thought
think taught teach caught catch wrote write written write ran run won win lost lose sent send spent spend
built build held hold heard hear knew know known know grew grow grown grow drew draw drawn draw flew fly
flown fly drove drive driven drive rode ride ridden ride spoke speak spoken speak broke break broken break
chose choose chosen choose wore wear worn wear ate eat eaten eat drank drink drunk drink sang sing sung sing
swam swim swum swim slept sleep woke wake woken wake paid pay sold sell fell fall fallen fall stood stand
understood understand sat sit became become forgot forget forgotten forget hid hide hidden hide threw throw
thrown throw shot shoot sought seek fought fight led lead fed feed bred breed shown show rose rise risen
rise shook shake shaken shake stole steal stolen steal struck strike swore swear sworn swear tore tear torn
tear froze freeze frozen freeze dealt deal dug dig hung hang lent lend meant mean bent bend bit bite bitten
bite blew blow blown blow bound bind clung cling crept creep dreamt dream forgave forgive forgiven forgive
laid lay leapt leap lit light learnt learn proven prove sank sink sunk sink slid slide spun spin stuck stick
stung sting swept sweep swung swing wept weep withdrew withdraw children child men man women woman people
person feet foot teeth tooth mice mouse geese goose wives wife knives knife wolves wolf halves half shelves
shelf thieves thief
"""
IRREGULAR_FORMS: Final[dict[str, str]] = dict(zip(_LISTED.split()[::2], _LISTED.split()[1::2], strict=True))
