"""PP-RNG is the one way to shuffle: the dealer refuses to start with any other."""

import pytest

from services.dealer.settings import DealerSettings
from services.dealer.shell.app import run
from shared.runtime.settings import load

SETTING = "ROLLFORWARD_DEALER_SHUFFLE"
ENGINES = {"DATABASE_URL": "postgresql://x", "NATS_URL": "nats://x"}


@pytest.mark.parametrize("shuffle", ["as_published", "PP_RNG", "209"])
def test_pp_rng_the_dealer_refuses_to_start_with_another_shuffle(monkeypatch, capsys, shuffle):
    for name, value in {**ENGINES, SETTING: shuffle}.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit) as ended:
        run()
    assert ended.value.code == 2
    refusal = capsys.readouterr().err
    assert refusal.startswith(f"dealer: {SETTING}: the dealer deals by pp_rng only")
    assert refusal.count("\n") == 1


def test_pp_rng_the_dealer_takes_its_own_shuffle_by_name():
    assert load(DealerSettings, {**ENGINES, SETTING: "pp_rng"}) == load(DealerSettings, ENGINES)
