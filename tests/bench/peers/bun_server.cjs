// Bun's own server: a publish for each trigger.

const { readFileSync } = require('node:fs');
const { hearTriggers } = require('./triggers.cjs');

const [port, control, event] = process.argv.slice(2);
const message = JSON.parse(readFileSync(event, 'utf8'));
const server = Bun.serve({
    port: Number(port),
    hostname: '127.0.0.1',
    fetch: (request, self) => (self.upgrade(request) ? undefined : new Response('no', { status: 400 })),
    websocket: {
        idleTimeout: 0,
        perMessageDeflate: false,
        message(socket) {
            socket.subscribe('room');
            socket.send('{"type":"snapshot"}');
        },
    },
});
hearTriggers(Number(control), () => server.publish('room', JSON.stringify(message)));
