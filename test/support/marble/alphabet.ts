// What the letters of marble files mean. marbles/README.md has this as a table (`legend.ts`), and a test holds it to that.
import type { Command } from '../../../src/streams/domain/command.ts';
import type { Effect, EffectOf } from '../../../src/streams/domain/effect.ts';
import type { CommandOutcome, Event, ProbeResult } from '../../../src/streams/domain/event.ts';
import type { ExitStatus } from '../../../src/streams/domain/service/exit-status.ts';
import type { RolloutRecord, RolloutStep } from '../../../src/streams/domain/service/rollout.ts';
import type { CronRun, Run } from '../../../src/streams/domain/service/service-run.ts';
import type { DownReason, HealthProgress, Tag } from '../../../src/streams/domain/service/service.ts';
import type { AlertCause, HookName } from '../../../src/streams/domain/declared/spec.ts';
import { ms } from '../../../src/streams/domain/time.ts';

/** In `cli` about everything, in a service's lane about that one. */
export const COMMANDS = {
  S: 'start',
  T: 'stop',
  R: 'restart',
  D: 'shutdown',
} as const satisfies Readonly<Record<string, Command['type']>>;

/** In the lane of a service with `replicas`: how many instances `sup scale` asks for. */
export const COUNTS = { '1': 1, '2': 2, '3': 3 } as const;

/** What a terminal or an init system sends to the supervisor. */
export const SIGNALS = { I: 'SIGTERM', H: 'SIGHUP' } as const satisfies Readonly<
  Record<string, Extract<Event, { type: 'signalled' }>['signal']>
>;

/** A lane of the other run of a rollout: `web+` beside `web`. */
export const SECOND = '+';

/** How far the wall clock is set, in hours; the time that passes does not notice. */
export const CLOCK = { '^': 1, _: -1 } as const;

/** The exits of a leader; unless the service is `world.messy`, no process of its tree is left. */
export const EXITS = {
  '0': { tag: 'code', code: 0 },
  x: { tag: 'code', code: 1 },
  k: { tag: 'signal', signal: 'SIGKILL' },
  '?': { tag: 'unknown' },
} as const satisfies Readonly<Record<string, ExitStatus>>;

export const PROBES = {
  y: { tag: 'passed' },
  n: { tag: 'unhealthy', detail: 'HTTP 500' },
  r: { tag: 'unreachable', detail: 'connection refused' },
  h: { tag: 'timed-out' },
  a: { tag: 'stranger', taken: { port: 8080, holder: { pid: 9_000, name: 'nginx' } } },
} as const satisfies Readonly<Record<string, ProbeResult>>;

/** How the present `skip`, `pre_start` or `stop_command` ends. */
export const OUTCOMES = {
  p: { tag: 'ended', status: { tag: 'code', code: 0 }, evidence: [] },
  f: { tag: 'ended', status: { tag: 'code', code: 1 }, evidence: [] },
  l: { tag: 'over-budget' },
} as const satisfies Readonly<Record<string, CommandOutcome>>;

/** The spawn that was asked for succeeds, or is refused; by itself it succeeds at once, unless `world.slow`. */
export const SPAWNS = { o: 'spawned', '!': 'spawn-failed' } as const;

/** What is left of the tree: no process, a process, or a process in its own session. */
export const SURVEYS = { g: 'nobody', '+': 'somebody', d: 'daemon' } as const;

/** In the lane of a child: the parent in the name of the lane requests it. */
export const NURSERY = { '*': 'asked' } as const;

/** A watched file changes. */
export const FILES = { '%': 'src/app.js' } as const;

/** What the service and its children hold, bytes; stories limit it to 64 MiB. */
export const WEIGHTS = { m: 65 * 1024 * 1024, e: 1024 * 1024 } as const;

/** What a run reports about itself (sd_notify). */
export const REPORTS = { t: { extend: ms(2_000) } } as const;

/** In `cli`: another program takes the place of the supervisor's, and starts what had not begun to; or all died before. */
export const UPGRADES = { U: 'upgrade', X: 'death' } as const;

/** News of the run before the present one. */
export const LATE = { '~': 'exited' } as const;

/** The entry of an alphabet under a letter that a story may have made up. */
export const meaningOf = <T>(alphabet: Readonly<Record<string, T>>, letter: string): T | undefined =>
  Object.hasOwn(alphabet, letter) ? alphabet[letter] : undefined;

/** `<service>.state`. */
export const STATE_LETTERS = {
  d: 'down',
  D: 'completed',
  F: 'failed',
  K: 'skipped',
  i: 'scheduled',
  w: 'waiting',
  q: 'queued',
  p: 'preparing',
  s: 'starting',
  u: 'up',
  t: 'stopping',
  T: 'unverified',
  b: 'backing-off',
  e: 'broken',
  c: 'casualty',
} as const;
type StateLetter = keyof typeof STATE_LETTERS;

const DOWN: Readonly<Record<DownReason['tag'], StateLetter>> = {
  new: 'd',
  asked: 'd',
  ended: 'd',
  completed: 'D',
  failed: 'F',
  skipped: 'K',
};

const BY_TAG: Readonly<Record<Exclude<Tag, 'down' | 'waiting' | 'stopping'>, StateLetter>> = {
  scheduled: 'i',
  preparing: 'p',
  spawning: 's',
  starting: 's',
  up: 'u',
  'backing-off': 'b',
  broken: 'e',
  casualty: 'c',
};

export const stateLetter = ({ actual }: Pick<Run, 'actual'>): StateLetter => {
  switch (actual.tag) {
    case 'down':
      return DOWN[actual.why.tag];
    case 'waiting':
      return actual.for === 'gate' ? 'q' : 'w';
    case 'stopping':
      return actual.phase === 'unverified' ? 'T' : 't';
    default:
      return BY_TAG[actual.tag];
  }
};

/** `<service>.rollout`: the step of the rollout under way, or how the last one ended. */
export const ROLLOUT: Readonly<Record<RolloutStep | RolloutRecord['outcome'], string>> = {
  starting: 's',
  verifying: 'v',
  switching: 'x',
  confirming: 'c',
  watching: 'g',
  retiring: 'r',
  reverting: 'b',
  withdrawing: 'w',
  done: 'D',
  failed: 'F',
  'called-off': 'O',
};

/** `<service>.effect`: what is done to the service's processes. */
export const EFFECTS = { spawn: 'P', stop: 'T', kill: 'K' } as const;

export const effectLetter = (effect: Effect): string | undefined => {
  if (effect.type === 'spawn') return EFFECTS.spawn;
  if (effect.type !== 'signal') return undefined;
  return effect.signal === 'SIGKILL' ? EFFECTS.kill : EFFECTS.stop;
};

/** `<service>.hooks`: Form B small for success and capital for error, Form A `n` and `e`. */
export const HOOKS: Readonly<Record<HookName, string>> = {
  'on_start.success': 'a',
  'on_start.error': 'A',
  'on_stop.success': 'z',
  'on_stop.error': 'Z',
  'on_restart.success': 'r',
  'on_restart.error': 'R',
  onstart: 'n',
  onerr: 'e',
};

/** `<service>.alerts`: a message that becomes due. */
export const ALERTS: Readonly<Record<AlertCause, string>> = {
  'breaker-open': 'b',
  failed: 'f',
  unhealthy: 'u',
  'rollout-failed': 'o',
  recovered: 'r',
};

/** `<service>.runs`: what becomes of a scheduled run. */
export const RUNS: Readonly<Record<CronRun['result'], string>> = {
  running: 'r',
  success: 's',
  failure: 'f',
  timeout: 't',
  overlap: 'o',
  missed: 'm',
  skipped: 'k',
  stopped: 'x',
  unknown: '?',
};

/** `<service>.health`. */
export const HEALTH: Readonly<Record<HealthProgress['health'], string>> = {
  healthy: 'h',
  unhealthy: 'u',
  unknown: '?',
};

/** `<service>.events`, of a rollout with the letters of `<service>.rollout`, of health with those of `<service>.health`. */
export const EVENTS = { state: 'm', run: '+' } as const;

/** `<service>.log`, `cli.log`: lines of the supervisor's own log. */
export const NOTES: Readonly<Record<EffectOf<'note'>['level'], string>> = {
  info: 'i',
  warn: 'w',
  error: 'e',
};

/** `cli.reply`. */
export const REPLIES = { done: 'y', refused: 'n', quit: 'Q' } as const;
