// Hears triggers on the control port (wire.h) and calls `publish` as often as each says.

const net = require('node:net');

exports.hearTriggers = (port, publish) =>
    net
        .createServer((socket) => {
            let rest = Buffer.alloc(0);
            socket.on('error', () => {});
            socket.on('data', (data) => {
                rest = Buffer.concat([rest, data]);
                for (; rest.length >= 8; rest = rest.subarray(8)) {
                    for (let count = rest.readUInt32LE(4); count > 0; count--) publish();
                }
            });
        })
        .listen(port, '127.0.0.1', () => console.log('{"ready": true}'));
