"""Products, prices and addresses of the fixture `empty`, as the partner interface names them."""

from __future__ import annotations

from typing import Any

# A mug without variations, and a tee in sizes (1021) and colours (1022).
MUG, TEE = 101, 102
SIZE, COLOUR = 1021, 1022
SMALL, MEDIUM = 10211, 10212
BLACK, NAVY = 10221, 10222
MUG_CENTS, TEE_CENTS, PEN_CENTS, PARCEL_CENTS = 1800, 2500, 600, 800
ROW_CENTS = MUG_CENTS + PARCEL_CENTS
"""One mug by claim link within the United States, shipping included."""
MUG_LINE = {"sku_code": "MUG-01", "quantity": 1}
TEE_LINE = {"merchant_product_id": TEE, "fixed_options": {str(SIZE): SMALL}, "choice_variation_ids": [COLOUR]}

# One valid address in each of the nine countries.
ADDRESSES: dict[str, dict[str, Any]] = {
    "US": {"address1": "1 Main St", "city": "Reno", "state": "NV", "zip": "89501", "country": "US"},
    "CA": {"address1": "80 Wellington St", "city": "Ottawa", "state": "ON", "zip": "K1A 0B1", "country": "CA"},
    "GB": {"address1": "10 Downing St", "city": "London", "zip": "SW1A 2AA", "country": "GB"},
    "AU": {"address1": "1 Macquarie St", "city": "Sydney", "state": "NSW", "zip": "2000", "country": "AU"},
    "DE": {"address1": "Unter den Linden 1", "city": "Berlin", "zip": "10117", "country": "DE"},
    "FR": {"address1": "1 rue de Rivoli", "city": "Paris", "zip": "75001", "country": "FR"},
    "NL": {"address1": "Dam 1", "city": "Amsterdam", "zip": "1012 JS", "country": "NL"},
    "IT": {"address1": "Via Appia 1", "city": "Roma", "zip": "00184", "country": "IT"},
    "ES": {"address1": "Gran Via 1", "city": "Madrid", "zip": "28013", "country": "ES"},
}
