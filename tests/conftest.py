"""How Hypothesis looks: at what comes of an example, not at how long a busy machine took over it."""

import pytest
from hypothesis import HealthCheck, settings

from tests.addresses import addresses

settings.register_profile("bookboard", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("bookboard")


@pytest.fixture(autouse=True)
def _an_address_of_its_own() -> None:
    addresses.move_on()
