// An HTTP server in Node, which cannot send to a unix datagram socket itself: argv is NAME PORT.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const [name, port] = process.argv.slice(2);
const tell = (...words) => new Promise((done) => execFile('systemd-notify', words, () => done()));

createServer((_, response) => response.end('served')).listen(Number(port), '127.0.0.1');
await tell('--status=Loading');
while (!existsSync(`${name}.go`)) await pause(50);
await tell('--ready');
for (let beats = 0; ; beats += 1) {
  await tell('--status', `Serving, beat ${beats}`, 'WATCHDOG=1');
  await pause(300);
}
