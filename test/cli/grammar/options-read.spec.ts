// A command reads every option that it declares, alone and beside every other of its options, or refuses the line: nothing
// is taken in silence. Every command is carried out, in a directory of its own, before a supervisor that says no to
// everything, and what it reads of its line is written down.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { contextOf } from '../../../src/cli/context.ts';
import { Failure } from '../../../src/streams/views/errors/command-failure.ts';
import { handlerOf } from '../../../src/cli/command-handlers.ts';
import { COMMAND_NAMES, commandFacts, type CommandName } from '../../../src/cli/grammar/command-table.ts';
import { isFlag, isValued, type OptionName, type Valued } from '../../../src/cli/grammar/option-table.ts';
import type { Parsed } from '../../../src/cli/grammar/parsed-line.ts';
import { readLine } from '../../../src/cli/grammar/read-line.ts';
import { controlServer } from '../../../src/sources/control/server.ts';
import { layoutOf } from '../../../src/streams/wire/layout.ts';
import { failureOf } from '../../../src/streams/wire/messages.ts';
import { PROTOCOL } from '../../../src/streams/wire/protocol.ts';
import { listen } from '../../support/listen.ts';
import { temporary } from '../commands/logs/harness.ts';
import { fakeWorld } from '../support/fake-world.ts';

/** Something that each of them may be. */
const VALUES: Readonly<Record<Valued, string>> = {
  config: 'sup.yaml',
  project: 'shop',
  service: 'shop/web',
  profile: 'dev',
  signal: 'HUP',
  name: 'ticker',
  ttl: '5m',
  lines: '5',
  since: '1h',
  until: '1m',
  for: 'healthy',
  timeout: '5s',
  window: '1m',
  'metrics-listen': '9464',
  'metrics-host': 'shop.example',
  port: '0',
  address: '127.0.0.1',
  'tls-cert': 'cert.pem',
  'tls-key': 'key.pem',
  unix: 'dashboard.sock',
  init: 'crontab',
  stream: 'stderr',
  'max-age': '1d',
  'max-size': '1M',
  level: 'warning',
  format: 'procfile',
  to: 'procfile',
  out: 'made',
  image: 'web=web:1',
  data: 'a=b',
  allow: 'restart:shop/*',
  host: 'box',
  grep: 'x',
  kind: 'state',
  threshold: '4.5',
};
const MANIFEST = 'version: "2"\nprojects:\n  shop:\n    services:\n      web:\n        exec: ["true"]\n';
const NO = { code: 'ERR0204', message: 'no', path: null, at: null, hint: null } as const;

const HELLO = { protocol: PROTOCOL, version: '9.9.9', pid: 4711, since: '2026-01-01T00:00:00.000Z' };
/** A supervisor that has read the settings of this process, and of its line. */
const saved = { argv: [...process.argv], dataDir: process.env['SUP_DATA_DIR'] };
let directory: string;

beforeEach(async () => {
  directory = temporary();
  writeFileSync(join(directory, 'sup.yaml'), MANIFEST);
  const dataDir = join(directory, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  const server = controlServer({ socketPath: layoutOf(dataDir).socket, hello: HELLO });
  await server.listen();
  const answers = listen(server.incoming$, ({ client, request }) =>
    server.send(client, failureOf(request.id, NO)),
  );
  onTestFinished(async () => {
    answers.unsubscribe();
    await server.close();
  });
});
afterEach(() => {
  process.argv.splice(0, process.argv.length, ...saved.argv);
  if (saved.dataDir === undefined) delete process.env['SUP_DATA_DIR'];
  else process.env['SUP_DATA_DIR'] = saved.dataDir;
});

/** The same line, which writes down what is read of it. */
const spied = (parsed: Parsed, read: Set<string>): Parsed => {
  const flags = new Set(parsed.flags);
  const has = flags.has.bind(flags);
  flags.has = (flag) => {
    read.add(flag);
    return has(flag);
  };
  const values = new Proxy(parsed.values, {
    get: (target, name) => {
      if (typeof name === 'string') read.add(name);
      return isValued(String(name)) ? target[name as Valued] : undefined;
    },
  });
  return { ...parsed, flags, values };
};

const isUsage = (thrown: unknown): boolean => thrown instanceof Failure && thrown.exit === 'usage';

/** What the command did not read of these options, unless it refused them. */
const unread = async (
  line: readonly string[],
  options: readonly OptionName[],
): Promise<readonly string[]> => {
  const environment = { SUP_DATA_DIR: join(directory, 'data') };
  const heard = fakeWorld({ directory, environment, uid: 0 });
  const onInterrupt = (listener: () => void): (() => void) => {
    listener();
    return () => undefined;
  };
  const read = new Set<string>();
  try {
    const reading = readLine(line);
    if (reading.tag !== 'parsed') throw new Error(`${line.join(' ')} is no command line`);
    const parsed = spied(reading.parsed, read);
    const handler = await handlerOf(parsed.command);
    await handler(parsed, contextOf(parsed.flags, { ...heard.world, onInterrupt }));
  } catch (thrown) {
    if (isUsage(thrown)) return [];
  }
  return options.filter((option) => !read.has(option));
};

const written = (option: OptionName): readonly string[] =>
  isFlag(option) ? [`--${option}`] : [`--${option}`, VALUES[option]];

/** Nothing of this machine is to be changed: `boot` is only asked how things are. */
const operandsOf = (command: CommandName): readonly string[] => {
  if (command === 'boot') return ['status'];
  return commandFacts(command).operand?.required === true ? ['shop/web'] : [];
};

/** What stands behind `--`, as far as the command takes any. */
const tailsOf = (command: CommandName): readonly (readonly string[])[] => {
  if (command === 'exec') return [['--', 'true']];
  return commandFacts(command).tail === true ? [[], ['--', 'true']] : [[]];
};

/** Each option by itself, and each two of them. */
const choices = (options: readonly OptionName[]): readonly (readonly OptionName[])[] =>
  options.flatMap((one, at) => [[one], ...options.slice(at + 1).map((other) => [one, other])]);

describe('every option that a command declares', () => {
  it.each(COMMAND_NAMES)(
    'every option of sup %s is used or refused',
    { timeout: 60_000 },
    async (command) => {
      const silent: string[] = [];
      for (const options of choices(commandFacts(command).options))
        for (const tail of tailsOf(command)) {
          const line = [command, ...operandsOf(command), ...options.flatMap(written), ...tail];
          const missed = await unread(line, options);
          if (missed.length > 0) silent.push(`${line.join(' ')}: ${missed.join(', ')}`);
        }
      expect(silent).toEqual([]);
    },
  );
});
