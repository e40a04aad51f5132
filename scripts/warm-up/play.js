// A little life of `sup` in one process: what its commands need most is in the cache then, and what its supervisor needs, too.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const [, , sup] = process.argv;
const { exit } = process;
// Each line listens to them anew.
for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(0);

const LINES = [
  ['status'],
  ['start', '-c', 'sup.json', '--daemonize'],
  ['status'],
  ['logs', '-n', '3'],
  ['stop'],
  ['shutdown'],
];

const play = (line) =>
  new Promise((settle) => {
    process.exit = settle;
    process.argv.splice(1, process.argv.length, sup, ...line);
    delete require.cache[sup];
    require(sup);
  });

for (const line of LINES) await play(line);
exit(0);
