// Runs a short session of `sup` in one process, so that the code caches contain what commands and the
// supervisor use most.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const [, , sup] = process.argv;
const { exit } = process;
// Each command line adds its own listeners.
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
