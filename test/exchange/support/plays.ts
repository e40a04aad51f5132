// Two small programs that note what happens to them, to see how imported services run.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { directoryWith } from '../../manifest/loading.ts';
import { type RunSup, supIn, textOnce } from './run-sup.ts';

/**
 * `node play.js NAME` listens on the socket NAME.sock, or on PORT. Both programs note this just before it is
 * true: the program of another service that waits for it cannot note its start earlier.
 */
const NODE = `const fs = require('node:fs');
const { NOTE = '-', TOKEN = '-', PORT } = process.env;
const who = process.argv[2];
const note = (what) => fs.appendFileSync('events', who + ' ' + what + '\\n');
note('starts ' + NOTE + ' ' + TOKEN);
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => { note(signal); process.exit(0); });
fs.rmSync(who + '.sock', { force: true });
const server = require('node:http').createServer((_, response) => response.end('ok'));
note('listens');
server.listen(PORT ?? who + '.sock');
`;

/** `python3 play.py NAME` listens on NAME.sock; `migrate` connects to DATABASE and ends. */
const PYTHON = `import os, signal, socket, sys, time
who = sys.argv[1]
def note(what):
    with open('events', 'a') as events: events.write(who + ' ' + what + '\\n')
def end(number, _):
    note(signal.Signals(number).name)
    sys.exit(0)
for number in (signal.SIGTERM, signal.SIGINT): signal.signal(number, end)
note('starts ' + os.environ.get('NOTE', '-') + ' ' + os.environ.get('TOKEN', '-'))
peer = socket.socket(socket.AF_UNIX)
if who == 'migrate':
    peer.connect(os.environ['DATABASE'])
    note('ends')
    sys.exit(0)
time.sleep(0.3)
if os.path.exists(who + '.sock'): os.unlink(who + '.sock')
peer.bind(who + '.sock')
note('listens')
peer.listen(9)
print('ready', flush=True)
while True: peer.accept()[0].close()
`;

/** `python3 reach.py SOCKET` fails if nothing listens there. */
const REACH = 'import socket, sys\nsocket.socket(socket.AF_UNIX).connect(sys.argv[1])\n';

export interface Player {
  readonly name: string;
  readonly state: string;
  readonly health: string | null;
  readonly pid: number | null;
  readonly restarts: number;
  readonly last_exit: { readonly signal?: string | null } | null;
}

export interface Play {
  readonly sup: RunSup;
  /** Resolves to the services by their names, once they satisfy the condition. */
  readonly once: (
    isDone: (services: Readonly<Record<string, Player>>) => boolean,
  ) => Promise<Readonly<Record<string, Player>>>;
  /** Resolves to what the programs noted since the last call: at least so many lines. */
  readonly noted: (count: number) => Promise<readonly string[]>;
}

/** Writes the programs and these files, imports the first of them, and starts it. */
export const playOf = async (files: Readonly<Record<string, string>>): Promise<Play> => {
  const directory = directoryWith({ 'play.js': NODE, 'play.py': PYTHON, 'reach.py': REACH });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  const sup = supIn(directory);
  await sup('import', Object.keys(files)[0] ?? '', '--out', 'sup.yaml');
  const started = await sup('start', '-d');
  if (started.status !== 0) throw new Error(`${started.stdout}${started.stderr}`);
  let seen = 0;
  return {
    sup,
    once: async (isDone) => {
      for (let attempt = 0; attempt < 600; attempt += 1) {
        const { status, stdout } = await sup('inspect', '--json');
        // Another status: the supervisor is too busy to answer, so `sup` shows its records.
        if (status === 0) {
          const { services } = JSON.parse(stdout) as { services: Player[] };
          const byName = Object.fromEntries(services.map((service) => [service.name, service]));
          if (isDone(byName)) return byName;
        }
        await pause(100);
      }
      throw new Error('the services do not get the state that they should have');
    },
    noted: async (count) => {
      const linesOf = (text: string): readonly string[] => text.split('\n').slice(seen, -1);
      const lines = linesOf(
        await textOnce(join(directory, 'events'), (text) => linesOf(text).length >= count),
      );
      seen += lines.length;
      return lines;
    },
  };
};

/** Returns the lines without those of a service. */
export const without = (lines: readonly string[], name: string): readonly string[] =>
  lines.filter((line) => !line.startsWith(`${name} `));
