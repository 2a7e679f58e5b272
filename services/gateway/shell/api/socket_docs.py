"""What `/docs` says about the socket, of which OpenAPI has no notion."""

from typing import Final

SOCKET: Final = """
<p><code>/api/play</code> is a WebSocket for players: JSON in text frames, at most 4,096 characters
each. The token is in the Authorization header, or in the first message. With
<code>?frames=lines</code> a frame to you may hold several messages, one a line.</p>
<pre>
you send
  {"token": "…"}                                     first, unless a header has it
  {"do": "fold",  "id"?, "table"?, "hand", "decision"}
  {"do": "check", "id"?, "table"?, "hand", "decision"}
  {"do": "call",  "id"?, "table"?, "hand", "decision"}
  {"do": "raise", "id"?, "table"?, "hand", "decision", "to_chips"}
  {"do": "show" | "muck", "id"?, "table"?, "hand", "decision"}
  {"do": "seed", "id"?, "table"?, "hand", "seed"}    32 bytes in base64: player entropy
  {"do": "say", "id"?, "table"?, "text"}             to everybody at the table
  {"do": "hide" | "unhide", "id"?, "player"}         whose messages you do not want, or do again
  {"do": "out" | "back", "id"?, "table"}
  {"do": "resync"}                                   tables and own cards once more

you get
  {"welcome": {"player", "as_of", "tournaments", "tables"}}
  {"snapshot": {"table", "tournament", "seats_max", "line", "number", "n", "hand",
                "seats": [{"seat", "player", "stack_chips", "out"}], "facts": […]}}
  {"line", "number", "stream", "n", "at", "event"}   every fact of your tournaments and tables
  {"own_cards": {"hand", "seat", "cards"}}           to you alone
  {"limit_reached": {"kind", "window", "amount", "until_ms"}}  your session time is used up
  {"re": id, "answer": "accepted", "stream", "n"}
  {"re": id, "answer": "refused", "reason", "detail"}
</pre>
<p>A snapshot is a table before the facts that come next; its stacks are those between hands, its
facts those of the hand so far. <code>id</code> is an id of your own, <code>cmd_</code> and 26
characters that carry the time: the same id again is the same command. In a tournament with player
entropy a fact <code>seeds-invited</code> comes before every hand: until the hand starts, whoever is
in the roster of its <code>hand-scheduled</code> may add a seed, once; nobody has to. Who is not
connected for some seconds is Out until connected again. When a gateway goes (close code 1012, or
none) connect again, with any gateway: the time until then is given back, and a fact
<code>clock-extended</code> has the new deadline, here as after any outage. What is said at a table
is a fact <code>said</code>, at most one a second from each player, and stands in no snapshot; whom
you hide is forgotten with the socket.</p>
"""
