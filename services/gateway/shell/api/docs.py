"""`/docs`: the OpenAPI document as one plain page of our own, which loads nothing from anywhere."""

from collections.abc import Iterator
from html import escape
from typing import Any, Final

from litestar import MediaType, Request, Response, get

from services.gateway.shell.api.socket_docs import SOCKET

METHODS: Final = ("get", "post", "put", "delete")
STYLE: Final = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h3 { margin: 2rem 0 0; font-size: 1rem } p { margin: .25rem 0 }
code, pre { font: 14px/1.5 ui-monospace, monospace } pre { overflow-x: auto }
td { padding: .1rem 1rem .1rem 0; vertical-align: top }
"""

Json = dict[str, Any]


@get("/docs", include_in_schema=False, media_type=MediaType.HTML)
async def page(request: Request[Any, Any, Any]) -> Response[str]:
    """Show every operation with what it takes and gives."""
    schema = request.app.openapi_schema.to_schema()
    return Response("\n".join(lines_of(schema)), media_type=MediaType.HTML)


def lines_of(schema: Json) -> Iterator[str]:
    """Write the whole page."""
    title = escape(f"{schema['info']['title']} {schema['info']['version']}")
    yield f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
    yield f"<style>{STYLE}</style></head><body><h1>{title}</h1>"
    yield f"<p>{escape(schema['info'].get('description') or '')} "
    yield 'The same for programs: <a href="/schema/openapi.json">openapi.json</a>.</p>'
    yield "<h2>Requests</h2>"
    for path, item in sorted(schema["paths"].items()):
        for method in METHODS:
            if method in item:
                yield from operation(path, method, item[method])
    yield f"<h2>Socket</h2>{SOCKET}<h2>Shapes</h2>"
    for name, shape in sorted(schema["components"]["schemas"].items()):
        yield from shown_shape(name, shape)
    yield "</body></html>"


def operation(path: str, method: str, given: Json) -> Iterator[str]:
    """Write one operation."""
    yield f"<h3><code>{method.upper()} {escape(path)}</code></h3>"
    yield f"<p>{escape(given.get('description') or given.get('summary') or '')}</p>"
    body = given.get("requestBody")
    if body:
        yield f"<p>Takes {kind_in(body)}</p>"
    for status, response in sorted(given.get("responses", {}).items()):
        if status.startswith("2"):
            yield f"<p>{status}: {kind_in(response)}</p>"


def kind_in(content: Json) -> str:
    """Name the shape of a body."""
    for media in content.get("content", {}).values():
        return kind(media.get("schema", {}))
    return "nothing"


def shown_shape(name: str, shape: Json) -> Iterator[str]:
    """Write one shape with its fields."""
    yield f'<h3 id="{escape(name)}">{escape(name)}</h3>'
    yield f"<p>{escape(shape.get('description') or '')}</p><table>"
    required = shape.get("required", [])
    for field, of in sorted(shape.get("properties", {}).items()):
        needed = "" if field in required else "optional"
        yield f"<tr><td><code>{escape(field)}</code><td>{kind(of)}<td>{needed}</tr>"
    yield "</table>"


def kind(schema: Json) -> str:
    """Say in words what a schema admits."""
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    for choice in ("oneOf", "anyOf"):
        if choice in schema:
            return " or ".join([kind(option) for option in schema[choice]])
    if "const" in schema or "enum" in schema:
        values = schema.get("enum") or [schema["const"]]
        return " or ".join([f"<code>{escape(str(value))}</code>" for value in values])
    if schema.get("type") == "array":
        return f"list of {kind(schema.get('items') or {})}"
    if isinstance(schema.get("additionalProperties"), dict):
        return f"map to {kind(schema['additionalProperties'])}"
    return escape(str(schema.get("type", "anything")))
