// The alphabet in words, for marbles/README.md. Keyed by the alphabet itself: a letter without a word does not compile.
import type { CronRun, HealthProgress } from '../../../src/streams/domain/service/service.ts';
import type { HookName } from '../../../src/streams/domain/declared/spec.ts';
import { tableOf } from '../docs/block.ts';
import {
  EFFECTS,
  EVENTS,
  HEALTH,
  HOOKS,
  NOTES,
  REPLIES,
  ROLLOUT,
  RUNS,
  type CLOCK,
  type COMMANDS,
  type EXITS,
  type LATE,
  type NURSERY,
  type OUTCOMES,
  type PROBES,
  type SIGNALS,
  type SPAWNS,
  type STATE_LETTERS,
  type SURVEYS,
  type UPGRADES,
  type WEIGHTS,
} from './alphabet.ts';
import { FACTS } from './telling.ts';

type Words<Alphabet> = Readonly<Record<keyof Alphabet, string>>;

const commands: Words<typeof COMMANDS> = {
  S: '`sup start`, of everything in `cli`, of the one service in its own lane',
  T: '`sup stop`',
  R: '`sup restart`',
  D: '`sup shutdown`',
};
const signals: Words<typeof SIGNALS> = {
  I: 'the supervisor gets SIGTERM',
  H: 'the supervisor gets SIGHUP',
};
const exits: Words<typeof EXITS> = {
  '0': 'the leader exits with 0',
  x: 'the leader exits with 1',
  k: 'the leader is killed by SIGKILL',
  '?': 'the leader ends, and nobody saw how',
};
const late: Words<typeof LATE> = { '~': 'the exit of the run before arrives' };
const spawns: Words<typeof SPAWNS> = {
  o: 'the process that was asked for exists (`world.slow`)',
  '!': 'the spawn that was asked for is refused (`world.slow`)',
};
const surveys: Words<typeof SURVEYS> = {
  g: 'nobody of the tree is left (`world.messy`)',
  '+': 'somebody of the tree is left (`world.messy`)',
  d: 'somebody of the tree is left, in a session of its own (`world.messy`)',
};
const probes: Words<typeof PROBES> = {
  y: 'a probe passes',
  n: 'a probe gets a bad answer',
  r: 'a probe cannot reach its target',
  h: 'a probe gets no answer in time',
  a: 'a probe passes, but another process than the service answers it',
};
const outcomes: Words<typeof OUTCOMES> = {
  p: 'the skip or pre_start command exits with 0',
  f: 'the skip or pre_start command fails',
  l: 'the skip or pre_start command exceeds its budget',
};
const clock: Words<typeof CLOCK> = {
  '^': 'the wall clock is set an hour ahead',
  _: 'the wall clock is set back an hour',
};

const nursery: Words<typeof NURSERY> = {
  '*': 'the child is asked for: `web/a` by the service `web`, `web/a/b` by its child `a`; then with the letters of `<service>`',
};
const weights: Words<typeof WEIGHTS> = {
  m: 'the service and its children hold 65 MiB',
  e: 'they hold 1 MiB',
};
const upgrades: Words<typeof UPGRADES> = {
  U: 'another program takes the place of the supervisor, which starts what had not begun to',
  X: 'the supervisor and all services die, and another supervisor begins',
};

const states: Words<typeof STATE_LETTERS> = {
  d: 'down: not started yet, stopped, or ended well',
  D: 'down: a one-shot that is done',
  F: 'down: failed',
  K: 'down: skipped',
  i: 'scheduled: waits for its next boundary',
  w: 'waiting for its dependencies',
  q: 'waiting for its turn in the gate',
  p: 'preparing: its skip or pre_start command runs',
  s: 'spawning or starting: not ready yet',
  u: 'up: ready',
  t: 'stopping',
  T: 'stopping, unverified (ERR0112)',
  b: 'backing off until the next attempt',
  e: 'broken: its breaker is open',
  c: 'a casualty',
};
const effects: Readonly<Record<keyof typeof EFFECTS, string>> = {
  spawn: 'spawn',
  stop: 'the stop signal',
  kill: 'SIGKILL',
};
const hooks: Readonly<Record<HookName, string>> = {
  'on_start.success': '`on_start.success`',
  'on_start.error': '`on_start.error`',
  'on_stop.success': '`on_stop.success`',
  'on_stop.error': '`on_stop.error`',
  'on_restart.success': '`on_restart.success`',
  'on_restart.error': '`on_restart.error`',
  onstart: '`onstart`',
  onerr: '`onerr`',
};
const runs: Readonly<Record<CronRun['result'], string>> = {
  running: 'a scheduled run begins',
  success: 'it succeeded',
  failure: 'it failed',
  timeout: 'it took longer than `cron.timeout`',
  overlap: 'a boundary was met while a run was alive',
  missed: 'a boundary was met while an earlier one still waited',
  skipped: 'its skip command skipped it',
  unknown: 'nobody saw how it ended',
  stopped: 'it was stopped',
};
const rollout: Readonly<Record<keyof typeof ROLLOUT, string>> = {
  starting: 'the candidate is on its way to readiness',
  verifying: '`candidate_health_check`',
  switching: '`switch_command`',
  confirming: '`switch_verify`',
  watching: '`grace_period`',
  retiring: 'the candidate is the service; the old run stops',
  reverting: 'the switch is taken back',
  withdrawing: 'the candidate is brought to its end',
  done: 'over: the new run stays',
  failed: 'over: it failed, the old run stays',
  'called-off': 'over: somebody wanted something else',
};
const health: Readonly<Record<HealthProgress['health'], string>> = {
  healthy: 'healthy',
  unhealthy: 'unhealthy',
  unknown: 'not known',
};
const notes: Readonly<Record<keyof typeof NOTES, string>> = {
  info: "a line of the supervisor's log: in the order of things",
  warn: 'a warning',
  error: 'an error',
};
const events: Words<typeof EVENTS> = {
  state: 'an event (`sup events`): it came to another state',
  run: 'the second run of a rollout did; steps with the letters of `<service>.rollout`, health with those of `<service>.health`',
};
const facts: Readonly<Record<(typeof FACTS)[number], string>> = {
  admission$: 'let in by the gate',
  ready$: 'ready',
  health$: 'its probes begin to fail while it is up, or pass again',
  exit$: 'its leader ended by itself',
  overdue$: 'SIGKILL was sent, or did not help',
  restart$: 'an automatic restart is scheduled',
  breaker$: 'its breaker opened',
  casualty$: 'it fell because of another, and is down',
  down$: 'it came to rest: stopped, done, failed or skipped',
};
const replies: Readonly<Record<keyof typeof REPLIES, string>> = {
  done: 'a command is answered: done',
  refused: 'a command is answered: failed, with the code in `cli.error`',
  quit: 'the supervisor ends',
};

/** `{ spawn: 'P' }` and `{ spawn: 'the spawn' }` as `{ P: 'the spawn' }`. */
const byLetter = <Key extends string>(
  letters: Readonly<Record<Key, string>>,
  words: Readonly<Record<Key, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.keys(words).map((key) => [letters[key as Key], words[key as Key]]));

type Section = readonly [lane: string, words: Readonly<Record<string, string>>];

const INPUT: readonly Section[] = [
  ['`cli`, `<service>`', commands],
  ['`cli`', { ...signals, ...upgrades }],
  ['`<service>`', { ...spawns, ...exits, ...surveys, ...outcomes, ...probes, ...weights, ...late }],
  ['`<service>/<child>`', nursery],
  [
    '`<service>+`',
    {
      y: 'of the second run of a rollout, with the letters of `<service>`; in `verifying`, `confirming`, `switching` and `reverting` of the check or the switch command',
    },
  ],
  ['`clock`', clock],
];
const OUTPUT: readonly Section[] = [
  ['`<service>.state`', states],
  ['`<service>.effect`', byLetter(EFFECTS, effects)],
  ['`<service>.hooks`', byLetter(HOOKS, hooks)],
  ['`<service>.health`', byLetter(HEALTH, health)],
  ['`<service>.runs`', byLetter(RUNS, runs)],
  ['`<service>.rollout`', byLetter(ROLLOUT, rollout)],
  [
    '`<service>.second`',
    {
      u: 'the state of the second run of a rollout, with the letters of `<service>.state`',
      '.': 'there is none',
    },
  ],
  [
    '`<service>/<child>.state`',
    { u: 'the state of a child, with the letters of `<service>.state`', '.': 'there is none of that name' },
  ],
  ['`<service>/<child>.effect`', { P: 'with the letters of `<service>.effect`' }],
  [
    '`<service>/<child>.parent`',
    { w: 'whose child it is, by the first letter of the name', '.': "nobody's" },
  ],
  ['`<service>.run`', { '1': 'the number of the run that is the service' }],
  ['`<service>.slot`', { a: 'its slot, by the last letter' }],
  ['`<service>.kept`', { a: 'the slot that is written into `state_path`, by the last letter' }],
  ['`<service>.failure`', { '(0115)': 'the error with which the last rollout failed' }],
  ['`<service>.error`', { '(0102)': 'the error it came to rest with, ERR0102 here' }],
  ['`<service>.culprits`', { '(dc)': 'who felled it, by first letters: `db` and `cache` here' }],
  ['`<service>.log`, `cli.log`', byLetter(NOTES, notes)],
  ['`<service>.events`', byLetter(EVENTS, events)],
  ...FACTS.map((fact): Section => [`\`${fact}\``, { '(dw)': `${facts[fact]}: \`db\`, then \`web\`` }]),
  ['`cli.reply`', byLetter(REPLIES, replies)],
  ['`cli.error`', { '(0102)': 'the code of a failed command' }],
];

const rowsOf = (sections: readonly Section[]): readonly (readonly string[])[] =>
  sections.flatMap(([lane, words]) =>
    Object.entries(words).map(([letter, word], index) => [index === 0 ? lane : '', `\`${letter}\``, word]),
  );

/** The tables of marbles/README.md. */
export const legend = (): string =>
  [
    '### What happens',
    tableOf(['Lane `in`', 'Letter', 'Means'], rowsOf(INPUT)),
    '### What comes out',
    tableOf(['Lane `out`', 'Letter', 'Means'], rowsOf(OUTPUT)),
  ].join('\n\n');
