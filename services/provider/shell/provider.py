"""The provider put together: orders in, words out, everything kept before it is answered."""

from services.provider.core import (
    SCENARIOS,
    Order,
    Payment,
    Word,
    decided,
    dues_of,
    is_decided,
    newest,
    saying,
    scenario_for,
)
from services.provider.settings import ProviderSettings
from services.provider.shell.store import Store
from shared.runtime.adapters.system import SystemClock, entropy

REFERENCE_BYTES = 16
DECLINED = "declined_by_the_customer"


class Provider:
    """What handlers ask; it knows the time, and makes references that nobody can guess."""

    def __init__(self, settings: ProviderSettings, store: Store) -> None:
        self.settings = settings
        self.store = store
        self._clock = SystemClock()

    def now_ms(self) -> int:
        """Return milliseconds since 1970 UTC."""
        return self._clock.now_ms()

    def page_of(self, payment: Payment) -> str:
        """Return where a person confirms a deposit; a payout has no page."""
        if payment.order.kind != "deposit":
            return ""
        own = f"http://{self.settings.http_host}:{self.settings.http_port}"
        return f"{self.settings.provider_public_url or own}/pay/{payment.reference}"

    def take(self, key: str, order: Order) -> Payment:
        """Take an order on; a payout goes its way by itself."""
        scenario = self.store.chosen(key) or scenario_for(order.amount_cents)
        payment = Payment(key, f"prv_{entropy(REFERENCE_BYTES).hex()}", order, scenario)
        if order.kind == "payout":
            return self._follow_course(payment)
        self.store.keep(payment, ())
        return payment

    def confirm(self, payment: Payment) -> Payment:
        """A person has confirmed; the first one to decide has."""
        return payment if is_decided(payment) else self._follow_course(payment)

    def decline(self, payment: Payment) -> Payment:
        """A person has declined."""
        return payment if is_decided(payment) else self.say(payment, "failed", DECLINED)

    def say(self, payment: Payment, word: Word, reason: str) -> Payment:
        """Say one word more, now."""
        said = saying(payment, word, reason, self.now_ms())
        return self._kept(payment, said)

    def _follow_course(self, payment: Payment) -> Payment:
        kind, pause_ms = payment.order.kind, self.settings.provider_pause_ms
        first_ms = self.now_ms() + (pause_ms if kind == "payout" else 0)
        words = SCENARIOS[payment.scenario].words(kind)
        return self._kept(payment, decided(payment, words, first_ms, pause_ms))

    def _kept(self, before: Payment, after: Payment) -> Payment:
        settings = self.settings
        dues = dues_of(
            newest(after, len(before.words)),
            SCENARIOS[after.scenario].delivery,
            settings.provider_pause_ms,
            settings.provider_late_ms,
        )
        self.store.keep(after, dues)
        return after
