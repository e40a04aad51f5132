// What the letters of marble files mean. marbles/README.md has this as a table, and a test holds it to that.
import type { Command } from '../../../src/streams/domain/command.ts';
import type { Effect } from '../../../src/streams/domain/effect.ts';
import type { CommandOutcome, ProbeResult } from '../../../src/streams/domain/event.ts';
import type { ExitStatus } from '../../../src/streams/domain/exit.ts';
import type { DownReason, Service } from '../../../src/streams/domain/service.ts';
import type { HookName } from '../../../src/streams/domain/spec.ts';

/** In `cli` about everything, in a service's lane about that one. */
export const COMMANDS: Readonly<Record<string, Exclude<Command['type'], 'forget'>>> = {
  S: 'start',
  T: 'stop',
  R: 'restart',
  D: 'shutdown',
};

/** The leader ends like this; unless the service is `world.messy`, nobody of its tree is left. */
export const EXITS: Readonly<Record<string, ExitStatus>> = {
  '0': { tag: 'code', code: 0 },
  x: { tag: 'code', code: 1 },
  k: { tag: 'signal', signal: 'SIGKILL' },
  '?': { tag: 'unknown' },
};

export const PROBES: Readonly<Record<string, ProbeResult>> = {
  y: { tag: 'passed' },
  n: { tag: 'unhealthy', detail: 'HTTP 500' },
  r: { tag: 'unreachable', detail: 'connection refused' },
  h: { tag: 'timed-out' },
};

/** How the present `skip` or `pre_start` command ends. */
export const OUTCOMES: Readonly<Record<string, CommandOutcome>> = {
  p: { tag: 'ended', status: { tag: 'code', code: 0 }, evidence: [] },
  f: { tag: 'ended', status: { tag: 'code', code: 1 }, evidence: [] },
  l: { tag: 'over-budget' },
};

/** The spawn that was asked for succeeds, or is refused; by itself it succeeds at once, unless `world.slow`. */
export const SPAWNS: Readonly<Record<string, 'spawned' | 'spawn-failed'>> = {
  o: 'spawned',
  '!': 'spawn-failed',
};

/** Who is left of the tree: nobody, or somebody. */
export const SURVEYS: Readonly<Record<string, 'nobody' | 'somebody'>> = { g: 'nobody', '+': 'somebody' };

const DOWN: Readonly<Record<DownReason['tag'], string>> = {
  new: 'd',
  asked: 'd',
  ended: 'd',
  completed: 'D',
  failed: 'F',
  skipped: 'K',
};

/** `<service>.state`. */
export const stateLetter = ({ actual }: Service): string => {
  switch (actual.tag) {
    case 'down':
      return DOWN[actual.why.tag];
    case 'waiting':
      return actual.for === 'gate' ? 'q' : 'w';
    case 'scheduled':
      return 'i';
    case 'preparing':
      return 'p';
    case 'spawning':
    case 'starting':
      return 's';
    case 'up':
      return 'u';
    case 'stopping':
      return actual.phase === 'unverified' ? 'T' : 't';
    case 'backing-off':
      return 'b';
    case 'broken':
      return 'e';
    case 'casualty':
      return 'c';
  }
};

/** `<service>.effect`: what is done to the service's processes. */
export const effectLetter = (effect: Effect): string | undefined => {
  if (effect.type === 'spawn') return 'P';
  if (effect.type !== 'signal') return undefined;
  return effect.signal === 'SIGKILL' ? 'K' : 'T';
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

/** `cli.reply`. */
export const REPLIES = { done: 'y', refused: 'n' } as const;
