// Ends a run and verifies its end. Sends `stop_signal` once to every process of the tree, and SIGKILL after
// `stop_timeout`. If processes are still alive after `stop_verify_secs` more, reports ERR0112
// (`docs/behaviour.md`, "Stopping").
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

/** Returns the state in which the stop of a run begins: no process has been signalled yet. */
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

/** Stops a live run. The processes of its tree are signalled when the first process scan finds them. */
export const stopping = (cell: Alive, cause: StopCause): Change => ({ to: ending(cell, cause) });

/** Begins a stop that was requested. All dependents that must also stop are down. */
export const release = (cell: Situation<'starting' | 'up', 'release'>): Change =>
  stopping(cell, { tag: 'asked' });

/**
 * Stops the service because a dependency failed. Afterwards it is a casualty: down until its dependencies are
 * ready.
 */
export const fall = (cell: Situation<'starting' | 'up', 'fell'>): Change =>
  stopping(cell, { tag: 'felled', of: cell.input.of });

/**
 * Adds dependencies that fail while the service stops because of another one. It recovers when all of them
 * are ready again.
 */
export const fallFurther = ({ state, input }: Situation<'stopping', 'fell'>): Change => {
  if (state.cause.tag !== 'felled') return STAY;
  const of = [...new Set([...state.cause.of, ...input.of])];
  return { to: { ...state, cause: { tag: 'felled', of } } };
};

const among = (refs: readonly ProcessRef[], ref: ProcessRef): boolean =>
  refs.some((other) => sameProcess(other, ref));

/**
 * Sends the stop signal to every process of the first scan and, once the leader has exited, to those found
 * later. While the leader lives, processes started since the first scan get no signal: the leader may need
 * them to clean up.
 */
const signalFresh = (service: Run, state: In<'stopping'>, alive: readonly ProcessRef[]): Change => {
  const called = (state.survivors === undefined || state.exit !== undefined) && state.unproven !== true;
  const fresh = called ? alive.filter((ref) => !among(state.asked, ref)) : [];
  return {
    to: { ...state, survivors: alive, asked: [...state.asked, ...fresh] },
    effects: fresh.length > 0 ? [signal({ service, state }, service.spec.stopSignal, fresh)] : [],
  };
};

/**
 * Returns, as `daemon`, one process that was in another session than the leader when the leader exited by
 * itself. Returns an empty object if there is none.
 */
const daemonIn = (
  { cause, survivors }: In<'stopping'>,
  { elsewhere = [] }: Situation<'stopping', 'surveyed'>['input'],
): Pick<In<'stopping'>, 'daemon'> => {
  const [daemon] = elsewhere;
  return cause.tag === 'exited' && survivors === undefined && daemon !== undefined ? { daemon } : {};
};

/**
 * Ends the stop if no process of the tree lives, the exit is known and no child must still end. If the cgroup
 * still has members, the stop stays undecided; no process is killed for being in the cgroup
 * (`docs/behaviour.md`, "Stopping").
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

/**
 * Continues a stop with the processes that a scan found: sends them the stop signal, or SIGKILL after
 * `stop_timeout`. Ends the stop if none lives.
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
 * Records the leader's exit status during a stop. Ends the stop if no process is left, otherwise sends the
 * stop signal to those that have not got it.
 */
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

/**
 * Called when the last child that had to end with the service has ended. Ends the stop if the service's own
 * process tree is gone too; otherwise the stop continues.
 */
export const alone = (cell: Situation<'stopping', 'children-gone'>): Change => {
  const { exit, survivors } = cell.state;
  return exit !== undefined && survivors?.length === 0 ? finish(cell) : STAY;
};

/**
 * Sends SIGKILL when `stop_timeout` is over. When `stop_verify_secs` are over after that, marks the stop as
 * unverified.
 */
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
