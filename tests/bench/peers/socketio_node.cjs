// socket.io on Node: everybody in one room, an emit for each trigger.

const { readFileSync } = require('node:fs');
const { createServer } = require('node:http');
const { Server } = require('socket.io');
const { hearTriggers } = require('./triggers.cjs');

const [port, control, event] = process.argv.slice(2);
const message = JSON.parse(readFileSync(event, 'utf8'));
const http = createServer();
const io = new Server(http, { transports: ['websocket'], pingInterval: 600000, perMessageDeflate: false });
io.on('connection', (socket) => socket.join('room'));
http.listen(Number(port), '127.0.0.1', 4096, () => hearTriggers(Number(control), () => io.to('room').emit('event', message)));
