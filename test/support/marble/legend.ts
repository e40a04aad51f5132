// What each letter of a marble file means, as tables for marbles/README.md. The keys are the letters of
// `alphabet.ts`; a letter without a text does not compile.
import type { CronRun, HealthProgress } from '../../../src/streams/domain/service/service.ts';
import type { HookName } from '../../../src/streams/domain/declared/spec.ts';
import { tableOf } from '../docs/block.ts';
import {
  ALERTS,
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
  type COUNTS,
  type EXITS,
  type FILES,
  type LATE,
  type NURSERY,
  type OUTCOMES,
  type PROBES,
  type SIGNALS,
  type SPAWNS,
  type STATE_LETTERS,
  type SURVEYS,
  type UPGRADES,
  type REPORTS,
  type WEIGHTS,
} from './alphabet.ts';
import { FACTS } from './telling.ts';

type Words<Alphabet> = Readonly<Record<keyof Alphabet, string>>;

const commands: Words<typeof COMMANDS> = {
  S: '`sup start`: in the lane `cli` for all services, in the lane of a service for this one (the same for `T` and `R`)',
  T: '`sup stop`',
  R: '`sup restart`',
  D: '`sup shutdown`',
};
const counts: Words<typeof COUNTS> = {
  '1': '`sup scale` to one instance; the letters of `cli` are about all instances, lanes such as `web@2` about one',
  '2': '`sup scale` to two instances',
  '3': '`sup scale` to three instances',
};
const signals: Words<typeof SIGNALS> = {
  I: 'the supervisor gets SIGTERM',
  H: 'the supervisor gets SIGHUP',
};
const exits: Words<typeof EXITS> = {
  '0': 'the leader exits with 0',
  x: 'the leader exits with 1',
  k: 'the leader is killed by SIGKILL',
  '?': 'the leader ends, and its exit status is unknown',
};
const files: Words<typeof FILES> = { '%': 'a watched file changes' };
const late: Words<typeof LATE> = { '~': 'the exit of the previous run is reported' };
const spawns: Words<typeof SPAWNS> = {
  o: 'the process that the supervisor has requested exists (`world.slow`)',
  '!': 'the spawn that the supervisor has requested fails (`world.slow`)',
};
const surveys: Words<typeof SURVEYS> = {
  g: 'a process scan finds no process of the tree (`world.messy`)',
  '+': 'a process scan finds a process of the tree (`world.messy`)',
  d: 'a process scan finds a process of the tree that has a session of its own (`world.messy`)',
};
const probes: Words<typeof PROBES> = {
  y: 'a probe passes; with `notify` the service sends READY=1, with `watchdog` WATCHDOG=1',
  n: 'a probe fails: it gets an answer that is not a success',
  r: 'a probe fails: it cannot reach its target',
  h: 'a probe fails: it gets no answer in time; with `watchdog` no WATCHDOG=1 comes in time',
  a: 'a probe gets a good answer, but from a process that is not of the service',
};
const outcomes: Words<typeof OUTCOMES> = {
  p: 'the skip, pre_start or stop_command exits with 0',
  f: 'the skip, pre_start or stop_command fails',
  l: 'the skip, pre_start or stop_command exceeds its time limit',
};
const clock: Words<typeof CLOCK> = {
  '^': 'the wall clock is set one hour forward',
  _: 'the wall clock is set one hour back',
};

const nursery: Words<typeof NURSERY> = {
  '*': 'the parent requests the child: for `web/a` the service `web`, for `web/a/b` the child `a`. The other letters are those of `<service>`',
};
const weights: Words<typeof WEIGHTS> = {
  m: 'the service and its children use 65 MiB of memory',
  e: 'the service and its children use 1 MiB of memory',
};
const reports: Words<typeof REPORTS> = {
  t: 'the service asks for two seconds more, to be ready or to stop (sd_notify)',
};
const upgrades: Words<typeof UPGRADES> = {
  U: 'an upgrade: the supervisor is replaced by another program, which carries out the starts that have not begun',
  X: 'the supervisor and all services are killed, and another supervisor starts',
};

const states: Words<typeof STATE_LETTERS> = {
  d: 'down: not started yet, stopped, or exited without a failure',
  D: 'down: a one-shot that is done',
  F: 'down: failed',
  K: 'down: skipped',
  i: 'scheduled: waits for its next scheduled time',
  w: 'waiting for its dependencies',
  q: 'waiting for its turn in the gate (`max_concurrent`)',
  p: 'preparing: its skip or pre_start command runs',
  s: 'spawning or starting: not ready yet',
  u: 'up: ready',
  t: 'stopping',
  T: 'stopping: a process is still alive after SIGKILL (ERR0112)',
  b: 'backing off: waits for its next automatic restart',
  e: 'broken: its breaker is open',
  c: 'casualty: stopped because a dependency failed',
};
const effects: Readonly<Record<keyof typeof EFFECTS, string>> = {
  spawn: 'a process is spawned',
  stop: 'the stop signal is sent',
  kill: 'SIGKILL is sent',
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
const alerts: Readonly<Record<keyof typeof ALERTS, string>> = {
  'breaker-open': 'an alert is due (`world.alerts`): the breaker opened',
  failed: 'an alert is due: the service failed, and is not restarted',
  unhealthy: 'an alert is due: the probes of the ready service fail',
  'rollout-failed': 'an alert is due: a rollout failed',
  recovered: 'an alert is due: the incident is over',
};
const runs: Readonly<Record<CronRun['result'], string>> = {
  running: 'a scheduled run begins',
  success: 'the scheduled run succeeded',
  failure: 'the scheduled run failed',
  timeout: 'the scheduled run took longer than `cron.timeout`',
  overlap: 'a scheduled time came while a run was alive',
  missed: 'a scheduled time came while an earlier run still waited for its dependencies',
  skipped: 'the scheduled run was skipped',
  unknown: 'the scheduled run ended, and its exit status is unknown',
  stopped: 'the scheduled run was stopped',
};
const rollout: Readonly<Record<keyof typeof ROLLOUT, string>> = {
  starting: 'the candidate starts and is not ready yet',
  verifying: '`candidate_health_check` runs',
  switching: '`switch_command` runs',
  confirming: '`switch_verify` runs',
  watching: '`grace_period` lasts',
  retiring: 'the candidate is now the current run of the service; the old run stops',
  reverting: '`switch_command` runs again, to switch back to the old run',
  withdrawing: 'the candidate is stopped',
  done: 'the rollout is over: the new run stays',
  failed: 'the rollout failed: the old run stays',
  'called-off': 'the rollout was called off, for example by another command: the old run stays',
};
const health: Readonly<Record<HealthProgress['health'], string>> = {
  healthy: 'healthy',
  unhealthy: 'unhealthy',
  unknown: 'unknown: no probe has given a result yet',
};
const notes: Readonly<Record<keyof typeof NOTES, string>> = {
  info: "a line of the supervisor's log with the level info",
  warn: 'a line with the level warning',
  error: 'a line with the level error',
};
const events: Words<typeof EVENTS> = {
  state: 'an event of `sup events`: the public state of the service changed',
  run: 'the public state of the second run of a rollout changed. Events about steps of a rollout have the letters of `<service>.rollout`, events about health those of `<service>.health`',
};
const facts: Readonly<Record<(typeof FACTS)[number], string>> = {
  admission$: 'these services got a place in the gate',
  ready$: 'these services became ready',
  health$: 'the probes of these services began to fail while the service is up, or pass again',
  exit$: 'the leaders of these services exited by themselves',
  overdue$: 'these services got SIGKILL, or have processes that survived it',
  restart$: 'an automatic restart of these services is scheduled',
  breaker$: 'the breakers of these services opened',
  casualty$: 'these services became casualties, and their stop is complete',
  down$: 'these services went down: stopped, done, failed or skipped',
};
const replies: Readonly<Record<keyof typeof REPLIES, string>> = {
  done: 'a command is answered with success',
  refused: 'a command is answered with a failure; its code is in the lane `cli.error`',
  quit: 'the supervisor ends',
};

/** Returns the texts by letter: `{ P: 'spawned' }` for `{ spawn: 'P' }` and `{ spawn: 'spawned' }`. */
const byLetter = <Key extends string>(
  letters: Readonly<Record<Key, string>>,
  words: Readonly<Record<Key, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.keys(words).map((key) => [letters[key as Key], words[key as Key]]));

type Section = readonly [lane: string, words: Readonly<Record<string, string>>];

const INPUT: readonly Section[] = [
  ['`cli`, `<service>`', commands],
  ['`cli`', { ...signals, ...upgrades }],
  [
    '`<service>`',
    { ...spawns, ...exits, ...surveys, ...outcomes, ...probes, ...weights, ...files, ...reports, ...late },
  ],
  ['`<service>` with `replicas`', counts],
  ['`<service>/<child>`', nursery],
  [
    '`<service>+`',
    {
      y: 'the lane of the second run of a rollout, with the letters of `<service>`. In the steps `verifying`, `confirming`, `switching` and `reverting` a letter is about the check or the switch command',
    },
  ],
  ['`clock`', clock],
];
const OUTPUT: readonly Section[] = [
  ['`<service>.state`', states],
  ['`<service>.effect`', byLetter(EFFECTS, effects)],
  ['`<service>.hooks`', byLetter(HOOKS, hooks)],
  ['`<service>.alerts`', byLetter(ALERTS, alerts)],
  ['`<service>.health`', byLetter(HEALTH, health)],
  ['`<service>.runs`', byLetter(RUNS, runs)],
  ['`<service>.rollout`', byLetter(ROLLOUT, rollout)],
  [
    '`<service>.second`',
    {
      u: 'the state of the second run of a rollout, with the letters of `<service>.state`',
      '.': 'no rollout is under way',
    },
  ],
  [
    '`<service>/<child>.state`',
    { u: 'the state of a child, with the letters of `<service>.state`', '.': 'no child has this name' },
  ],
  [
    '`<service>/<child>.effect`',
    { P: 'what is done to the processes of a child, with the letters of `<service>.effect`' },
  ],
  [
    '`<service>/<child>.parent`',
    { w: 'the parent of the child, by the first letter of its name', '.': 'the child has no parent' },
  ],
  ['`<service>.run`', { '1': 'the number of the current run of the service' }],
  ['`<service>.slot`', { a: 'the slot of the current run, by the last letter of its name' }],
  [
    '`<service>.kept`',
    { a: 'the slot that is written to the file `state_path`, by the last letter of its name' },
  ],
  [
    '`<service>.failure`',
    { '(0115)': 'the code of the error with which the last rollout failed, here ERR0115' },
  ],
  ['`<service>.error`', { '(0102)': 'the code of the error with which the service went down, here ERR0102' }],
  [
    '`<service>.culprits`',
    {
      '(dc)':
        'the failed dependencies that made the service a casualty, by first letters: here `db` and `cache`',
    },
  ],
  ['`<service>.log`, `cli.log`', byLetter(NOTES, notes)],
  ['`<service>.events`', byLetter(EVENTS, events)],
  ...FACTS.map((fact): Section => [`\`${fact}\``, { '(dw)': `${facts[fact]}: \`db\`, then \`web\`` }]),
  ['`cli.reply`', byLetter(REPLIES, replies)],
  ['`cli.error`', { '(0102)': 'the code with which a command failed, here ERR0102' }],
];

const rowsOf = (sections: readonly Section[]): readonly (readonly string[])[] =>
  sections.flatMap(([lane, words]) =>
    Object.entries(words).map(([letter, word], index) => [index === 0 ? lane : '', `\`${letter}\``, word]),
  );

/** Returns the tables of marbles/README.md. */
export const legend = (): string =>
  [
    '### What happens',
    tableOf(['Lane `in`', 'Letter', 'Means'], rowsOf(INPUT)),
    '### What comes out',
    tableOf(['Lane `out`', 'Letter', 'Means'], rowsOf(OUTPUT)),
  ].join('\n\n');
