// ws on Node: a send to every client for each trigger.

const { readFileSync } = require('node:fs');
const { WebSocketServer } = require('ws');
const { hearTriggers } = require('./triggers.cjs');

const [port, control, event] = process.argv.slice(2);
const message = JSON.parse(readFileSync(event, 'utf8'));
const server = new WebSocketServer({ port: Number(port), host: '127.0.0.1', backlog: 4096, perMessageDeflate: false });
server.on('connection', (socket) => socket.on('message', () => socket.send('{"type":"snapshot"}')));
server.on('listening', () =>
    hearTriggers(Number(control), () => {
        const text = JSON.stringify(message);
        for (const client of server.clients) client.send(text);
    }),
);
