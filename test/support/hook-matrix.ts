// The behaviour matrix of hooks as moves of one service: what it was, what it became, and what fires. Shared by the
// test of `hooks/hook-effects.ts` and by docs/hooks.md.
import type { ServiceError } from '../../src/streams/domain/errors/error.ts';
import type { ExitStatus } from '../../src/streams/domain/service/exit-status.ts';
import type { Service, ServiceState, StopCause } from '../../src/streams/domain/service/service.ts';
import type { HookName } from '../../src/streams/domain/declared/spec.ts';
import { idOf } from './spec.ts';
import { serviceIn, STATES } from './states.ts';

export type Step = readonly [before: Service, after: Service];

export interface MatrixRow {
  readonly scenario: string;
  readonly moves: readonly Step[];
  /** In order. */
  readonly fires: readonly HookName[];
}

const OK: ExitStatus = { tag: 'code', code: 0 };
const BAD: ExitStatus = { tag: 'code', code: 1 };
const error: ServiceError = { code: 'ERR0101', service: idOf('web'), status: BAD };

const FAILED: ServiceState = { tag: 'down', why: { tag: 'failed', error } };
const COMPLETED: ServiceState = { tag: 'down', why: { tag: 'completed' } };
const ENDED: ServiceState = { tag: 'down', why: { tag: 'ended' } };
const SKIPPED: ServiceState = { tag: 'down', why: { tag: 'skipped', by: 'manifest' } };

const ending = (cause: StopCause, exit: ExitStatus = BAD): ServiceState => ({
  ...STATES.stopping,
  cause,
  exit,
});
const EXITED: StopCause = { tag: 'exited', wasReady: true };
const EXITED_EARLY: StopCause = { tag: 'exited', wasReady: false };

const move = (from: ServiceState, to: ServiceState, changes: Partial<Service> = {}): Step => [
  { ...serviceIn('up'), ...changes, actual: from },
  { ...serviceIn('up'), ...changes, actual: to },
];
const recovering = { recovering: true };
const unwanted = { wanted: 'down' } as const;
const scheduled = { spec: { ...serviceIn('up').spec, kind: 'cron' } } as const;

const CRASH = move(ending(EXITED), STATES['backing-off']);

/** The behaviour matrix (`docs/hooks.md`, "What fires when"), row by row. */
export const MATRIX: readonly MatrixRow[] = [
  {
    scenario: 'Service starts successfully',
    moves: [move(STATES.starting, STATES.up)],
    fires: ['on_start.success', 'onstart'],
  },
  {
    scenario: 'Service fails to spawn',
    moves: [move(STATES.spawning, FAILED)],
    fires: ['on_start.error', 'onerr'],
  },
  {
    scenario: 'Service stopped by `stop`',
    moves: [move(ending({ tag: 'asked' }), STATES.down, unwanted)],
    fires: ['on_stop.success'],
  },
  {
    scenario: 'Service exits with non-zero status',
    moves: [move(ending(EXITED), FAILED)],
    fires: ['on_stop.error', 'onerr'],
  },
  {
    scenario: 'Restart after crash succeeds',
    moves: [CRASH, move(STATES.starting, STATES.up, recovering)],
    fires: ['on_stop.error', 'onerr', 'on_start.success', 'onstart', 'on_restart.success'],
  },
  {
    scenario: 'Restart attempt fails',
    moves: [CRASH, move(STATES.spawning, STATES['backing-off'], recovering)],
    fires: ['on_stop.error', 'onerr', 'on_restart.error', 'onerr'],
  },
];

/** What follows for other cases. */
export const FURTHER: readonly MatrixRow[] = [
  {
    scenario: 'Service exits before it is ready',
    moves: [move(ending(EXITED_EARLY), FAILED)],
    fires: ['on_start.error', 'onerr'],
  },
  {
    scenario: 'Restarted service exits before it is ready',
    moves: [move(ending(EXITED_EARLY), STATES['backing-off'], recovering)],
    fires: ['on_restart.error', 'onerr'],
  },
  {
    scenario: '`pre_start` fails',
    moves: [move(STATES.preparing, FAILED)],
    fires: ['on_start.error', 'onerr'],
  },
  {
    scenario: 'Service is never healthy',
    moves: [move(ending({ tag: 'unhealthy', wasReady: false, error }), FAILED)],
    fires: ['on_start.error', 'onerr'],
  },
  {
    scenario: 'Service loses its health',
    moves: [move(ending({ tag: 'unhealthy', wasReady: true, error }), STATES['backing-off'])],
    fires: ['on_stop.error', 'onerr'],
  },
  {
    scenario: 'One-shot exits with 0 during startup',
    moves: [move(ending(EXITED_EARLY, OK), COMPLETED)],
    fires: ['on_start.success', 'onstart', 'on_stop.success'],
  },
  {
    scenario: 'Service exits with 0 after it was ready',
    moves: [move(ending(EXITED, OK), ENDED)],
    fires: ['on_stop.success'],
  },
  {
    scenario: 'Service ends by itself after it was asked to stop',
    moves: [move(ending({ ...EXITED, asked: true }), STATES.down, unwanted)],
    fires: ['on_stop.success'],
  },
  {
    scenario: 'Service crashes, and a stop is asked for before its tree is gone',
    moves: [move(ending(EXITED), STATES.down, unwanted)],
    fires: ['on_stop.error', 'onerr'],
  },
  {
    scenario: 'Manual `restart`, configuration reload',
    moves: [move(ending({ tag: 'restart' }), STATES.waiting), move(STATES.starting, STATES.up)],
    fires: ['on_stop.success', 'on_start.success', 'onstart'],
  },
  {
    scenario: 'Service falls with a dependency',
    moves: [move(ending({ tag: 'felled', of: [idOf('db')] }), STATES.casualty)],
    fires: ['on_stop.success'],
  },
  {
    scenario: 'Scheduled run fails, however soon',
    moves: [move(ending(EXITED_EARLY), STATES.scheduled, scheduled)],
    fires: ['on_stop.error', 'onerr'],
  },
  {
    scenario: 'Scheduled run takes too long',
    moves: [move(ending({ tag: 'timeout', error }), STATES.scheduled, scheduled)],
    fires: ['on_stop.error', 'onerr'],
  },
  { scenario: 'Service is skipped', moves: [move(STATES.waiting, SKIPPED)], fires: [] },
  {
    scenario: 'Skip command succeeds',
    moves: [move(STATES.preparing, SKIPPED)],
    fires: [],
  },
  {
    scenario: 'Scheduled run is skipped',
    moves: [move(STATES.preparing, STATES.scheduled, scheduled)],
    fires: [],
  },
  {
    scenario: 'Dependency fails during `pre_start`',
    moves: [move(STATES.preparing, STATES.casualty), move(STATES.preparing, STATES.scheduled, scheduled)],
    fires: [],
  },
];
