"""Makes of cars, which are called the same in every language."""

from __future__ import annotations

from typing import Final

BRANDS: Final = """
alfa romeo, audi, bmw, bentley, buick, cadillac, chevrolet, chevy, chrysler, citroen, cupra, dacia, dodge, ferrari,
fiat, ford, honda, hyundai, jaguar, jeep, kia, lada, lamborghini, lancia, land rover, lexus, maserati, mazda, mercedes,
mini, mitsubishi, nissan, opel, peugeot, polestar, porsche, renault, saab, seat, skoda, smart, subaru, suzuki, tesla,
toyota, vauxhall, volkswagen, volvo, vw
"""
