// The services of the soak: they print in five ways, crash, fork away, ignore SIGTERM, and one has a changing
// declaration.
import { resolve } from 'node:path';
import type { Json } from '../scenarios/support/stage.ts';

type Declared = Readonly<Record<string, Json>>;

const QUICK = { stop_timeout: '400ms', backoff: '20ms', max_restarts: 1_000_000, restart_policy: 'always' };
const numbers = resolve('test/fixtures/scenarios/numbers.mjs');

const printer = (manner: string, name: string, max_bytes = 20_000_000): Declared => ({
  ...QUICK,
  exec: [process.execPath, numbers, manner, name],
  logs: { sink: 'file', max_bytes, max_files: 10_000 },
});

const shell = (command: string): Declared => ({ ...QUICK, command, logs: { sink: 'none' } });

/** What `exits` ends with in a run. */
export const codeOf = (run: number): number => (run % 5) + 1;

/** Each belongs to one of four clients, which types one command after the other. */
export const CLIENTS = [
  ['lines', 'steady'],
  ['blocks', 'exits'],
  ['endless', 'stubborn', 'edited'],
  ['flood', 'rotated', 'family'],
] as const satisfies readonly [readonly [string, ...string[]], ...(readonly [string, ...string[]])[]];

export type Name = (typeof CLIENTS)[number][number];
export const NAMES: readonly Name[] = CLIENTS.flat();
export const WRITERS = ['lines', 'blocks', 'endless', 'flood', 'rotated'] as const satisfies readonly Name[];

/** A service that no command names, so that there is always one to start. */
export const ANCHOR = 'anchor';

/** `edition` is what the environment of `edited` says. */
export const manifestOf = (edition: number): Declared => ({
  services: {
    [ANCHOR]: shell('exec sleep 100000'),
    lines: printer('line', 'lines'),
    blocks: printer('block', 'blocks'),
    endless: printer('endless', 'endless'),
    flood: printer('flood', 'flood'),
    rotated: printer('block', 'rotated', 100_000),
    steady: shell('exec sleep 100000'),
    exits: shell('run=$${SUP_UNIT##*#}; sleep 0.3; exit $$((run % 5 + 1))'),
    stubborn: shell("trap '' TERM; while :; do sleep 0.1; done"),
    family: shell(`setsid sh -c "trap '' TERM; sleep 100000 & sleep 100000" & sleep 100000 & wait`),
    edited: { ...shell('exec sleep 100000'), env: { vars: { EDITION: String(edition) } } },
  },
});
