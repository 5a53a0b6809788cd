"""python-socketio on uvicorn: everybody in one room, an emit for each trigger."""

import asyncio
import json
import struct
import sys
from pathlib import Path

import socketio
import uvicorn

PORT, CONTROL, EVENT = int(sys.argv[1]), int(sys.argv[2]), json.loads(Path(sys.argv[3]).read_bytes())
server = socketio.AsyncServer(async_mode="asgi", ping_interval=600)


@server.event
async def connect(sid, _environ):
    await server.enter_room(sid, "room")


async def hear_triggers(reader, _writer):
    while len(trigger := await reader.read(8)) == 8:
        _, count = struct.unpack("=II", trigger)
        for _ in range(count):
            await server.emit("event", EVENT, room="room")


async def main():
    await asyncio.start_server(hear_triggers, "127.0.0.1", CONTROL)
    config = uvicorn.Config(
        socketio.ASGIApp(server),
        port=PORT,
        log_level="error",
        backlog=4096,
        ws_per_message_deflate=False,
        ws_ping_interval=None,
    )
    app = uvicorn.Server(config)
    asyncio.get_running_loop().call_later(1, lambda: print('{"ready": true}', flush=True))
    await app.serve()


if __name__ == "__main__":
    import uvloop

    uvloop.run(main())
