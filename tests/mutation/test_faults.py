"""The planted faults still fit the code and cite rules; `make mutants` plants them."""

import pytest
from tests.coverage_table import ROOT, every_rule
from tests.mutation.faults import FAULTS, Fault
from tests.mutation.run import RULES

ENGINES = {"spades/score.py", "spades/ends.py", "spades/entry.py", "tournament.py", "bid_whist.py", "pack.py"}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.file}: {fault.new}")
def test_a_fault_fits_the_code(fault: Fault) -> None:
    assert (ROOT / RULES / fault.file).read_text(encoding="utf-8").count(fault.old) == 1
    assert fault.new != fault.old
    assert fault.breaks in every_rule()


def test_there_are_faults_in_every_engine() -> None:
    assert {fault.file for fault in FAULTS} >= ENGINES
    assert len({fault.breaks for fault in FAULTS}) >= 60
