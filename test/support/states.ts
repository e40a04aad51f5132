// One service in every state it can be in, and one of every input it can meet: the axes of the state table.
import { runId } from '../../src/streams/domain/ids.ts';
import { freshService, type In, type Service, type Tag } from '../../src/streams/domain/service/service.ts';
import type { ServiceSpec } from '../../src/streams/domain/declared/spec.ts';
import { instant } from '../../src/streams/domain/time.ts';
import type { CellContext, Input, InputOf, InputType } from '../../src/streams/service/service-input.ts';
import { UNPROBED } from '../../src/streams/domain/service/service-state.ts';
import { DEFAULT_SETTINGS } from '../../src/streams/domain/declared/settings.ts';
import { idOf, specOf } from './spec.ts';

export const RUN = runId(3);
export const PROCESS = { pid: 300, startTicks: 3000 };
export const BEGAN = instant(1_000);
export const NOW = instant(61_000);

const error = { code: 'ERR0101', service: idOf('web'), status: { tag: 'code', code: 1 } } as const;

export const STATES: { readonly [T in Tag]: In<T> } = {
  down: { tag: 'down', why: { tag: 'asked' } },
  scheduled: { tag: 'scheduled' },
  waiting: { tag: 'waiting', for: 'dependencies' },
  preparing: { tag: 'preparing', run: RUN, step: 'pre_start' },
  spawning: { tag: 'spawning', run: RUN },
  starting: { tag: 'starting', run: RUN, process: PROCESS, since: BEGAN, health: UNPROBED },
  up: { tag: 'up', run: RUN, process: PROCESS, since: BEGAN, readyAt: BEGAN, health: UNPROBED },
  stopping: {
    tag: 'stopping',
    run: RUN,
    process: PROCESS,
    since: BEGAN,
    phaseSince: BEGAN,
    cause: { tag: 'asked' },
    phase: 'asking',
    asked: [PROCESS],
  },
  'backing-off': { tag: 'backing-off', attempt: 1, until: NOW, error },
  broken: { tag: 'broken', error },
  casualty: { tag: 'casualty', of: [idOf('db')] },
};
export const TAGS = Object.keys(STATES) as readonly Tag[];

const ofWeb = { service: idOf('web'), run: RUN } as const;
const exited = { tag: 'code', code: 1 } as const;

export const INPUTS: { readonly [I in InputType]: InputOf<I> } = {
  start: { type: 'start', insisted: false },
  stop: { type: 'stop' },
  restart: { type: 'restart', insisted: false },
  admit: { type: 'admit' },
  hold: { type: 'hold', for: 'gate' },
  release: { type: 'release' },
  fell: { type: 'fell', of: [idOf('db')] },
  raise: { type: 'raise' },
  'pass-over': { type: 'pass-over', dependency: idOf('db') },
  'children-gone': { type: 'children-gone' },
  acted: { type: 'acted', act: { tag: 'signal', by: 'kill', signal: 'SIGHUP' } },
  'command-ended': {
    ...ofWeb,
    type: 'command-ended',
    purpose: 'pre_start',
    outcome: { tag: 'ended', status: { tag: 'code', code: 0 }, evidence: [] },
  },
  spawned: { ...ofWeb, type: 'spawned', process: PROCESS },
  'spawn-failed': {
    ...ofWeb,
    type: 'spawn-failed',
    error: { code: 'ERR0113', service: idOf('web'), detail: 'not found' },
  },
  exited: { ...ofWeb, type: 'exited', status: exited },
  probed: { ...ofWeb, type: 'probed', result: { tag: 'passed' } },
  notified: { ...ofWeb, type: 'notified', report: { ready: true } },
  elapsed: { ...ofWeb, type: 'elapsed', timer: 'stability' },
  surveyed: { ...ofWeb, type: 'surveyed', alive: [], evidence: [] },
  peaked: { ...ofWeb, type: 'peaked', peakBytes: 1 },
  measured: { ...ofWeb, type: 'measured', bytes: 1 },
  rang: { type: 'rang', service: idOf('web'), due: NOW },
  'clock-stepped': { type: 'clock-stepped', service: idOf('web') },
};
export const INPUT_TYPES = Object.keys(INPUTS) as readonly InputType[];
/** News of a run, as against orders and the clock. */
export const OF_A_RUN = Object.values<Input>(INPUTS).filter((input) => 'run' in input);

export const CONTEXT: CellContext = { at: NOW, settings: DEFAULT_SETTINGS, awaitedCompletion: false };

export const serviceIn = (tag: Tag, changes: Partial<ServiceSpec> = {}): Service => ({
  ...freshService(specOf('web', changes)),
  wanted: tag === 'down' ? 'down' : 'up',
  runs: 3,
  actual: STATES[tag],
});
