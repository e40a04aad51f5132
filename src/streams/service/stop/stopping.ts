// Stops a run and verifies its end: `stop_command` if declared, `stop_signal` once to every process of the
// tree, SIGKILL after `stop_timeout`, and ERR0112 if processes are still alive after another
// `stop_verify_secs`.
// Rules: `docs/behaviour.md`, "Stopping", "SIGKILL", "Verification"; `docs/behaviour.md`, "Stopping",
// "stop_signal, once".
import { isFollowed } from '../../domain/service/child.ts';
import type { In, ServiceOrRun, StopCause } from '../../domain/service/service.ts';
import { finish } from '../run-ended.ts';
import { STAY, type Change, type Situation } from '../service-input.ts';
import { signal, signalFresh } from './stop-signal.ts';

type Alive = Pick<Situation<'starting' | 'up', 'release'>, 'service' | 'state' | 'context'>;

/** Returns the state in which a stop begins: no process has been signalled yet. */
export const ending = ({ service: { spec }, state, context }: Alive, cause: StopCause): In<'stopping'> => ({
  tag: 'stopping',
  run: state.run,
  process: state.process,
  since: context.at,
  phaseSince: context.at,
  cause,
  phase: 'asking',
  asked: [],
  ...(spec.stopCommand !== undefined && cause.tag !== 'exited' && { commanded: true }),
  ...(state.notified && { notified: state.notified }),
  ...(state.health.error?.code === 'ERR0105' &&
    state.health.error.taken !== undefined && { taken: state.health.error.taken }),
});

/** Stops a live run. Its processes are signalled when the first process scan finds them. */
export const stopping = (cell: Alive, cause: StopCause): Change => ({ to: ending(cell, cause) });

/** Begins a requested stop: all dependents that must also stop are down. */
export const release = (cell: Situation<'starting' | 'up', 'release'>): Change =>
  stopping(cell, { tag: 'asked' });

/**
 * Stops the service, because a dependency failed. The service recovers when its dependencies are ready again.
 */
export const stopAsCasualty = (cell: Situation<'starting' | 'up', 'fell'>): Change =>
  stopping(cell, { tag: 'felled', of: cell.input.of });

/**
 * Adds dependencies that fail during the stop. The service recovers when all its failed dependencies are
 * ready again.
 */
export const addFailedDependency = ({ state, input }: Situation<'stopping', 'fell'>): Change => {
  if (state.cause.tag !== 'felled') return STAY;
  const of = [...new Set([...state.cause.of, ...input.of])];
  return { to: { ...state, cause: { tag: 'felled', of } } };
};

/**
 * True if the stop is over: the tree is gone, the leader's exit is known, `stop_command` has ended, and no
 * child must still end.
 */
export const isOver = (service: ServiceOrRun, { exit, survivors, commanded }: In<'stopping'>): boolean =>
  exit !== undefined && survivors?.length === 0 && commanded !== true && !isFollowed(service);

/** If the leader exited by itself, returns, as `daemon`, a process of the run that is in another session. */
const daemonIn = (
  { cause, survivors }: In<'stopping'>,
  { elsewhere = [] }: Situation<'stopping', 'surveyed'>['input'],
): Pick<In<'stopping'>, 'daemon'> => {
  const [daemon] = elsewhere;
  return cause.tag === 'exited' && survivors === undefined && daemon !== undefined ? { daemon } : {};
};

/**
 * Handles a scan that found no process of the tree. Ends the stop if nothing else must still end. A process
 * that is only in the cgroup delays the end of the stop, but is not killed (`docs/behaviour.md`, "Stopping").
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
  return isOver(service, empty) ? finish({ ...cell, state: empty }) : { to: empty };
};

/**
 * Signals the processes that a scan found, with SIGKILL after `stop_timeout`. If the scan found none, ends
 * the stop.
 */
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

/**
 * Records the leader's exit. If no process is left, ends the stop. Otherwise signals the remaining processes.
 */
export const exitKnown = (cell: Situation<'stopping', 'exited'>): Change => {
  const { service, state, input, context } = cell;
  const known = { ...state, exit: input.status };
  const patch = { lastExit: { status: input.status, at: context.at } };
  if (state.survivors === undefined) return { to: known, patch };
  if (state.survivors.length > 0 && state.phase === 'asking')
    return { ...signalFresh(service, known, state.survivors), patch };
  if (state.survivors.length > 0) return { to: known, patch };
  if (!isOver(service, known)) return { to: known, patch };
  const move = finish({ ...cell, service: { ...service, ...patch }, state: known });
  return { ...move, patch: { ...patch, ...move.patch } };
};

/** Handles the end of the last child that had to end. Ends the stop if the process tree is gone too. */
export const childrenGone = (cell: Situation<'stopping', 'children-gone'>): Change => {
  return isOver(cell.service, cell.state) ? finish(cell) : STAY;
};

/** Sends SIGKILL after `stop_timeout`; marks the stop as unverified after `stop_verify_secs` more. */
export const phaseElapsed = ({
  service,
  state,
  input,
  context,
}: Situation<'stopping', 'elapsed'>): Change => {
  const { commanded: _, ...rest } = state;
  const { survivors: known = [] } = state;
  if (input.timer === 'stop-timeout' && state.phase === 'asking') {
    const targets = known.length > 0 && state.unproven !== true ? known : [state.process];
    return {
      to: { ...rest, phase: 'killing', phaseSince: context.at },
      effects: [signal({ service, state }, 'SIGKILL', targets)],
    };
  }
  if (input.timer === 'stop-verify' && state.phase === 'killing')
    return { to: { ...state, phase: 'unverified' } };
  return STAY;
};
