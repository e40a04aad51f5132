// Ends a run and verifies that: `stop_signal` once to every process of the tree, SIGKILL after
// `stop_timeout`, and ERR0112 if processes still live after `stop_verify_secs` more.
// Rules: `docs/behaviour.md`, "Stopping", "stop_signal, once", "SIGKILL", "Verification".
import type { Effect } from '../domain/effect.ts';
import { sameProcess, type ProcessRef } from '../domain/service/process.ts';
import type { Run } from '../domain/service/service-run.ts';
import type { In, StopCause } from '../domain/service/service.ts';
import { isFollowed } from '../children/ending-children.ts';
import { finish } from './run-ended.ts';
import { STAY, type Change, type Situation } from './service-input.ts';

interface Signalling {
  readonly service: Run;
  readonly state: Pick<In<'stopping'>, 'run' | 'process'>;
}

const signal = ({ service, state }: Signalling, name: string, targets: readonly ProcessRef[]): Effect => ({
  type: 'signal',
  service: service.spec.id,
  run: state.run,
  leader: state.process,
  targets,
  signal: name,
});

type Alive = Pick<Situation<'starting' | 'up', 'release'>, 'service' | 'state' | 'context'>;

/** Returns the state in which a stop begins: no process has been signalled yet. */
export const ending = (
  { state, context }: Pick<Alive, 'state' | 'context'>,
  cause: StopCause,
): In<'stopping'> => ({
  tag: 'stopping',
  run: state.run,
  process: state.process,
  since: context.at,
  phaseSince: context.at,
  cause,
  phase: 'asking',
  asked: [],
  ...(state.health.error?.code === 'ERR0105' &&
    state.health.error.taken !== undefined && { taken: state.health.error.taken }),
});

/** Stops a live run. Its processes are signalled when the first process scan finds them. */
export const stopping = (cell: Alive, cause: StopCause): Change => ({ to: ending(cell, cause) });

/** Begins a requested stop: all dependents that must also stop are down. */
export const release = (cell: Situation<'starting' | 'up', 'release'>): Change =>
  stopping(cell, { tag: 'asked' });

/** Stops the service because a dependency failed; it recovers when its dependencies are ready. */
export const fall = (cell: Situation<'starting' | 'up', 'fell'>): Change =>
  stopping(cell, { tag: 'felled', of: cell.input.of });

/** Adds dependencies that fail during the stop; the service recovers when all of them are ready again. */
export const fallFurther = ({ state, input }: Situation<'stopping', 'fell'>): Change => {
  if (state.cause.tag !== 'felled') return STAY;
  const of = [...new Set([...state.cause.of, ...input.of])];
  return { to: { ...state, cause: { tag: 'felled', of } } };
};

const among = (refs: readonly ProcessRef[], ref: ProcessRef): boolean =>
  refs.some((other) => sameProcess(other, ref));

/**
 * Sends the stop signal to all processes of the first scan. Processes found later get it only after the
 * leader has exited, which may need them to clean up.
 */
const signalFresh = (service: Run, state: In<'stopping'>, alive: readonly ProcessRef[]): Change => {
  const called = (state.survivors === undefined || state.exit !== undefined) && state.unproven !== true;
  const fresh = called ? alive.filter((ref) => !among(state.asked, ref)) : [];
  return {
    to: { ...state, survivors: alive, asked: [...state.asked, ...fresh] },
    effects: fresh.length > 0 ? [signal({ service, state }, service.spec.stopSignal, fresh)] : [],
  };
};

/** Returns, as `daemon`, a process in another session than the leader's when that exited by itself. */
const daemonIn = (
  { cause, survivors }: In<'stopping'>,
  { elsewhere = [] }: Situation<'stopping', 'surveyed'>['input'],
): Pick<In<'stopping'>, 'daemon'> => {
  const [daemon] = elsewhere;
  return cause.tag === 'exited' && survivors === undefined && daemon !== undefined ? { daemon } : {};
};

/**
 * Ends the stop if the tree is gone, the exit is known and no child must still end. Members of the cgroup
 * keep it undecided, but are not killed (`docs/behaviour.md`, "Stopping").
 */
const emptied = (cell: Situation<'stopping', 'surveyed'>): Change => {
  const { service, state, input } = cell;
  if (input.unproven !== undefined) return { to: { ...state, survivors: input.unproven, unproven: true } };
  const empty = {
    ...state,
    survivors: [],
    evidence: input.evidence,
    ...(input.taken !== undefined && { taken: input.taken }),
  };
  return empty.exit === undefined || isFollowed(service) ? { to: empty } : finish({ ...cell, state: empty });
};

/** Signals the processes that a scan found, with SIGKILL after `stop_timeout`, or ends the stop. */
export const surveyed = (cell: Situation<'stopping', 'surveyed'>): Change => {
  const { service, input } = cell;
  const { unproven: _before, ...state } = cell.state;
  if (input.alive.length === 0) return emptied({ ...cell, state });
  if (state.phase === 'asking')
    return signalFresh(service, { ...state, ...daemonIn(state, input) }, input.alive);
  return {
    to: { ...state, survivors: input.alive },
    effects: [signal({ service, state }, 'SIGKILL', input.alive)],
  };
};

/** Records the leader's exit. Ends the stop if no process is left, else signals the remaining ones. */
export const exitKnown = (cell: Situation<'stopping', 'exited'>): Change => {
  const { service, state, input, context } = cell;
  const known = { ...state, exit: input.status };
  const patch = { lastExit: { status: input.status, at: context.at } };
  if (state.survivors === undefined) return { to: known, patch };
  if (state.survivors.length > 0 && state.phase === 'asking')
    return { ...signalFresh(service, known, state.survivors), patch };
  if (state.survivors.length > 0) return { to: known, patch };
  if (isFollowed(service)) return { to: known, patch };
  const move = finish({ ...cell, service: { ...service, ...patch }, state: known });
  return { ...move, patch: { ...patch, ...move.patch } };
};

/** Ends the stop if the process tree is gone too, after the last child that had to end has ended. */
export const alone = (cell: Situation<'stopping', 'children-gone'>): Change => {
  const { exit, survivors } = cell.state;
  return exit !== undefined && survivors?.length === 0 ? finish(cell) : STAY;
};

/** Sends SIGKILL after `stop_timeout`; marks the stop as unverified after `stop_verify_secs` more. */
export const phaseElapsed = ({
  service,
  state,
  input,
  context,
}: Situation<'stopping', 'elapsed'>): Change => {
  const { survivors: known = [] } = state;
  if (input.timer === 'stop-timeout' && state.phase === 'asking') {
    const targets = known.length > 0 && state.unproven !== true ? known : [state.process];
    return {
      to: { ...state, phase: 'killing', phaseSince: context.at },
      effects: [signal({ service, state }, 'SIGKILL', targets)],
    };
  }
  if (input.timer === 'stop-verify' && state.phase === 'killing')
    return { to: { ...state, phase: 'unverified' } };
  return STAY;
};
