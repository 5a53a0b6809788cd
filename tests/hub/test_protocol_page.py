"""What docs/protocol.md gives to people who write a client does its work."""

import asyncio
import json
import re
import sys
from pathlib import Path

from tests.hub.serving import HubProcess

PAGE = Path(__file__).parents[2] / "docs" / "protocol.md"


async def test_the_shortest_scoreboard_shows_the_scores(served: HubProcess, code: str) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-u",
        "-c",
        program.replace("localhost:8000", served.at).replace("K7F4MPQ", code),
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        async with asyncio.timeout(60):
            shown = (await process.stdout.readline()).decode()
    finally:
        process.kill()
        await process.wait()
    assert json.loads(shown.replace("'", '"')) == {"north_south": 0, "east_west": 0}
