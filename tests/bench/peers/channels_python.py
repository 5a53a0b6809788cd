"""Django Channels on uvicorn, with the layer that stays in memory: a group_send for each trigger."""

import asyncio
import json
import struct
import sys
from pathlib import Path

import django
import uvicorn
from django.conf import settings

PORT, CONTROL, EVENT = int(sys.argv[1]), int(sys.argv[2]), json.loads(Path(sys.argv[3]).read_bytes())
LAYER = {"BACKEND": "channels.layers.InMemoryChannelLayer", "CONFIG": {"capacity": 1000}}
settings.configure(CHANNEL_LAYERS={"default": LAYER}, SECRET_KEY="bench", INSTALLED_APPS=["channels"])
django.setup()

from channels.generic.websocket import AsyncWebsocketConsumer
from channels.layers import get_channel_layer


class Screen(AsyncWebsocketConsumer):
    async def receive(self, text_data=None, bytes_data=None):
        await self.channel_layer.group_add("room", self.channel_name)
        await self.send(text_data='{"type":"snapshot"}')

    async def tell(self, message):
        await self.send(text_data=message["text"])


async def hear_triggers(reader, _writer):
    while len(trigger := await reader.read(8)) == 8:
        _, count = struct.unpack("=II", trigger)
        for _ in range(count):
            text = json.dumps(EVENT, separators=(",", ":"))
            await get_channel_layer().group_send("room", {"type": "tell", "text": text})


async def main():
    await asyncio.start_server(hear_triggers, "127.0.0.1", CONTROL)
    config = uvicorn.Config(
        Screen.as_asgi(),
        port=PORT,
        log_level="error",
        backlog=4096,
        ws_per_message_deflate=False,
        ws_ping_interval=None,
        lifespan="off",
    )
    asyncio.get_running_loop().call_later(1, lambda: print('{"ready": true}', flush=True))
    await uvicorn.Server(config).serve()


if __name__ == "__main__":
    import uvloop

    uvloop.run(main())
