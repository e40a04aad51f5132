// Runs a short session of `sup` in one process, so that the code caches contain the functions that commands
// and the supervisor use most.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const [, , sup] = process.argv;
const { exit } = process;
// No limit on listeners, because each command line adds its own.
for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(0);

const LINES = [
  ['help'],
  ['status'],
  ['validate'],
  ['start', '--daemonize'],
  ['status'],
  ['status', '--json'],
  ['start', '--daemonize'],
  ['validate'],
  ['logs', '-n', '3'],
  ['restart', 'one'],
  ['__complete', 'stop', ''],
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
