// Several of each input, and the states in which they differ: what the table makes of an input often hangs on what it
// says, and on what the state has seen.
import type { ProbeResult } from '../../src/streams/domain/event.ts';
import { seconds } from '../../src/streams/domain/time.ts';
import type { ExitStatus } from '../../src/streams/domain/service/exit-status.ts';
import type { In, Service, ServiceState, Tag } from '../../src/streams/domain/service/service.ts';
import type { HealthCheck } from '../../src/streams/domain/declared/health-check.ts';
import type { ServiceSpec } from '../../src/streams/domain/declared/spec.ts';
import type { TimerName } from '../../src/streams/domain/watch.ts';
import type { Input } from '../../src/streams/service/service-input.ts';
import { idOf } from './spec.ts';
import { BEGAN, INPUTS, INPUT_TYPES, PROCESS, serviceIn, STATES, TAGS } from './states.ts';

const EXITS: Readonly<Record<string, ExitStatus>> = {
  'exited 0': { tag: 'code', code: 0 },
  'exited 1': { tag: 'code', code: 1 },
  'exited by signal': { tag: 'signal', signal: 'SIGKILL' },
  'exited unseen': { tag: 'unknown' },
};
const PROBES: Readonly<Record<string, ProbeResult>> = {
  'probed passed': { tag: 'passed' },
  'probed unreachable': { tag: 'unreachable', detail: 'nobody listens' },
  'probed timed-out': { tag: 'timed-out' },
  'probed silent': { tag: 'silent' },
  'probed unhealthy': { tag: 'unhealthy', detail: 'answered 500' },
};
const TIMERS: readonly TimerName[] = [
  'stability',
  'proven',
  'backoff',
  'stop-timeout',
  'memory',
  'stop-verify',
  'cron-timeout',
];
const STRANGER = { pid: 301, startTicks: 3001 };

const ended = (purpose: 'skip' | 'pre_start', status: ExitStatus): Input => ({
  ...INPUTS['command-ended'],
  purpose,
  outcome: { tag: 'ended', status, evidence: [] },
});
const each = <T>(values: Readonly<Record<string, T>>, make: (value: T) => Input): Record<string, Input> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, make(value)]));

/** These say too much to be one input. */
const MANIFOLD: ReadonlySet<string> = new Set(['command-ended', 'exited', 'probed', 'elapsed', 'surveyed']);

/** Every input, in several variants where it says something, by name. */
export const INPUT_VARIANTS: Readonly<Record<string, Input>> = {
  ...Object.fromEntries(
    INPUT_TYPES.filter((type) => !MANIFOLD.has(type)).map((type) => [type, INPUTS[type]]),
  ),
  'start by name': { type: 'start', insisted: true },
  'restart by name': { type: 'restart', insisted: true },
  'hold for dependencies': { type: 'hold', for: 'dependencies' },
  'fell of two': { type: 'fell', of: [idOf('db'), idOf('cache')] },
  'command-ended 0': ended('pre_start', { tag: 'code', code: 0 }),
  'command-ended 1': ended('pre_start', { tag: 'code', code: 1 }),
  'command-ended over budget': { ...INPUTS['command-ended'], outcome: { tag: 'over-budget' } },
  ...each(EXITS, (status) => ({ ...INPUTS.exited, status })),
  ...each(PROBES, (result) => ({ ...INPUTS.probed, result })),
  ...Object.fromEntries(TIMERS.map((timer) => [`elapsed ${timer}`, { ...INPUTS.elapsed, timer }])),
  'surveyed nobody': INPUTS.surveyed,
  'surveyed the leader': { ...INPUTS.surveyed, alive: [PROCESS] },
  'surveyed a newcomer': { ...INPUTS.surveyed, alive: [STRANGER] },
};

export const CHECK: HealthCheck = {
  probe: { tag: 'http', url: 'http://127.0.0.1:1/' },
  interval: seconds(1),
  startInterval: seconds(1),
  attemptTimeout: seconds(1),
  totalTimeout: seconds(0),
  retries: 1,
};
const CHECKED: Partial<ServiceSpec> = {
  deployment: { ...serviceIn('up').spec.deployment, healthCheck: CHECK },
};
const CRON: Partial<ServiceSpec> = {
  kind: 'cron',
  cron: { expression: '0 * * * *', timezone: 'utc', timeout: seconds(60) },
};

const being = (
  actual: ServiceState,
  spec: Partial<ServiceSpec> = {},
  patch: Partial<Service> = {},
): Service => ({
  ...serviceIn(actual.tag, spec),
  actual,
  ...patch,
});
const stopping = (changes: Partial<In<'stopping'>>): ServiceState => ({ ...STATES.stopping, ...changes });
const GONE = { exit: { tag: 'code', code: 1 }, cause: { tag: 'exited', wasReady: true } } as const;

/** Services in every state, and in states of the same tag that have seen something else. */
export const STATE_VARIANTS: Readonly<Record<string, Service>> = {
  ...Object.fromEntries(TAGS.map((tag: Tag) => [tag, serviceIn(tag)])),
  'down, done': being({ tag: 'down', why: { tag: 'completed' } }),
  'waiting for the gate': being({ tag: 'waiting', for: 'gate' }),
  'preparing, skip': being({ ...STATES.preparing, step: 'skip' }),
  'spawning, not wanted': being(STATES.spawning, {}, { wanted: 'down' }),
  'starting, checked': being(STATES.starting, CHECKED),
  'up, checked': being(STATES.up, CHECKED),
  'up, scheduled': being(STATES.up, CRON),
  'stopping, not wanted': being(stopping({ exit: GONE.exit }), {}, { wanted: 'down' }),
  'stopping, crashed': being(stopping(GONE)),
  'stopping, felled': being(stopping({ exit: GONE.exit, cause: { tag: 'felled', of: [idOf('db')] } })),
  'stopping, nobody left': being(stopping({ survivors: [] })),
  'stopping, killing': being(stopping({ phase: 'killing', phaseSince: BEGAN, exit: GONE.exit })),
  'stopping, unverified': being(stopping({ phase: 'unverified', exit: GONE.exit })),
  'stopping, to start again': being(stopping({ again: true, exit: GONE.exit, cause: { tag: 'asked' } })),
};
