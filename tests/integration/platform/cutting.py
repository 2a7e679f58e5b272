"""A wire between wallet and provider that can be cut when the provider has answered."""

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

import httpx

PASSED_ON = ("content-type", "idempotency-key", "payment-signature")


class Wire:
    """Passes orders on to `there`; `cut` is called, once, instead of passing the answer back."""

    def __init__(self) -> None:
        self.there = ""
        self.keys: list[str] = []
        self.cut: Callable[[], None] | None = None
        wire = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                wire.pass_on(self)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def pass_on(self, asking: BaseHTTPRequestHandler) -> None:
        content = asking.rfile.read(int(asking.headers["content-length"]))
        headers = {name: asking.headers[name] for name in PASSED_ON}
        try:
            answer = httpx.post(self.there + asking.path, content=content, headers=headers)
        except httpx.HTTPError:
            asking.send_error(502)
            return
        self.keys.append(headers["idempotency-key"])
        if self.cut is not None:
            cut, self.cut = self.cut, None
            cut()
            return
        asking.send_response(answer.status_code)
        asking.send_header("content-length", str(len(answer.content)))
        asking.end_headers()
        asking.wfile.write(answer.content)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
