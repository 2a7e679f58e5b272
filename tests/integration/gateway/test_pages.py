"""What the gateway shows of itself: description, page, probes; nothing comes from elsewhere."""

import re

from services.gateway.shell.api.routes import HANDLERS

URL = re.compile(r"(?:https?:)?//[a-zA-Z0-9.-]+")


async def test_the_description_names_every_request(house):
    answer = await house.anybody.get("/schema/openapi.json")
    assert answer.status_code == 200
    described = {
        (method.upper(), path) for path, item in answer.json()["paths"].items() for method in item
    }
    assert ("POST", "/api/players") in described
    assert ("DELETE", "/api/tournaments/{tournament}/entries") in described
    assert ("POST", "/api/tables/{table}/actions") in described
    assert len(described) == len(HANDLERS) - len(("socket", "livez", "readyz", "metrics", "docs"))


async def test_no_page_loads_anything_from_elsewhere(house):
    for path in ("/docs", "/schema/openapi.json", "/schema", "/nowhere"):
        answer = await house.anybody.get(path)
        assert not URL.findall(answer.text), path
        assert "<script" not in answer.text


async def test_the_page_shows_requests_shapes_and_the_socket(house):
    page = (await house.anybody.get("/docs")).text
    for shown in ("POST /api/players", 'id="Terms"', "/api/play", "own_cards"):
        assert shown in page


async def test_probes_and_metrics(house, platform):
    assert (await house.anybody.get("/livez")).status_code == 204
    ready = await house.anybody.get("/readyz")
    assert (ready.status_code, ready.json()) == (200, {"ready": True, "reasons": {}})
    assert "rollforward_gateway_sessions" in (await house.anybody.get("/metrics")).text
