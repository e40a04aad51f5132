// The history of a service: its last 50 state changes with their causes, and its last 20 incidents (changes
// of health, signals and reloads by users), which changed no state.
import type { ServiceError } from '../domain/errors/error.ts';
import type { CauseFacts, Incident, IncidentFacts } from '../domain/service/history-facts.ts';
import type { Run, Transition } from '../domain/service/service-run.ts';
import { shownHealth, type ServiceState, type In } from '../domain/service/service-state.ts';
import type { Instant } from '../domain/time.ts';
import type { Input, InputOf } from './service-input.ts';
import { stopCommandError } from './stop/stop-command.ts';

export const KEPT_MOVES = 50;

const commandFacts = ({ purpose, outcome }: InputOf<'command-ended'>): CauseFacts =>
  outcome.tag === 'over-budget' ? { purpose } : { purpose, status: outcome.status };

const probeFacts = ({ result, liveness }: InputOf<'probed'>): CauseFacts => {
  const of = liveness && { liveness };
  if (result.tag === 'stranger') return { probe: result.tag, taken: result.taken, ...of };
  return { probe: result.tag, ...('detail' in result && { detail: result.detail }), ...of };
};

const factsOf = (input: Input): CauseFacts | undefined => {
  switch (input.type) {
    case 'fell':
      return { of: input.of };
    case 'admit':
      return input.without && { without: input.without };
    case 'pass-over':
      return { dependency: input.dependency };
    case 'command-ended':
      return commandFacts(input);
    case 'spawned':
      return { pid: input.process.pid };
    case 'spawn-failed':
      return { error: input.error };
    case 'exited':
      return { status: input.status };
    case 'probed':
      return probeFacts(input);
    case 'elapsed':
      return { timer: input.timer };
    default:
      return undefined;
  }
};

/** Returns the program that sent the command which this input carries out, if it is known. */
export const originOf = (run: Pick<Run, 'askedBy'>, input: Input): string | undefined =>
  'by' in input ? input.by : input.type === 'release' ? run.askedBy : undefined;

/** Returns the run, in which `askedBy` is set to the program that sent the last command. */
export const askedBy = <R extends Run>(run: R, by: string | undefined): R => {
  if (run.askedBy === by) return run;
  const { askedBy: _, ...rest } = run;
  // Only an optional field is removed, so the result is still an `R`.
  return (by === undefined ? rest : { ...run, askedBy: by }) as R;
};

/** Returns the history, to which the state change to `to` is added if the tag of the state changes. */
export const remember = (
  run: Run,
  to: ServiceState | undefined,
  { input, at }: { readonly input: Input; readonly at: Instant },
): Run['history'] => {
  const { actual, history } = run;
  if (to === undefined || to.tag === actual.tag) return history;
  const by = originOf(run, input);
  const facts = factsOf(input);
  const entry: Transition = {
    at,
    from: actual.tag,
    to: to.tag,
    ...(to.tag === 'down' && { down: to.why.tag }),
    cause: input.type,
    ...(facts && { facts }),
    ...(by !== undefined && { by }),
  };
  return [...(history.length < KEPT_MOVES ? history : history.slice(1 - KEPT_MOVES)), entry];
};

/**
 * The number of incidents that are kept. Incidents have their own list, so that many changes of health do not
 * remove state changes from the history.
 */
export const KEPT_INCIDENTS = 20;

/**
 * True if the health became unhealthy, or changed from unhealthy to healthy. The first passed probe of a run
 * is not such a change.
 */
const isNews = (was: In<'up'>, is: In<'up'>): boolean => {
  const [before, after] = [shownHealth(was).health, shownHealth(is).health];
  return after === 'unhealthy' ? before !== after : before === 'unhealthy' && after === 'healthy';
};

/**
 * Returns the states before (`was`) and after (`is`), if the health of an `up` service changed to or from
 * unhealthy.
 */
export const healthNews = (
  was: ServiceState,
  is: ServiceState,
): { readonly was: In<'up'>; readonly is: In<'up'> } | undefined =>
  was.tag === 'up' && is.tag === 'up' && isNews(was, is) ? { was, is } : undefined;

const stopCommandFailure = (run: Run, input: Input): ServiceError | undefined =>
  run.actual.tag === 'stopping' && input.type === 'command-ended'
    ? stopCommandError(run, input.outcome)
    : undefined;

const incidentFactsOf = (run: Run, is: ServiceState, input: Input): IncidentFacts | undefined => {
  const was = run.actual;
  if (input.type === 'acted') return { act: input.act };
  const error = stopCommandFailure(run, input);
  if (error !== undefined) return { error };
  const news = healthNews(was, is);
  if (news === undefined) return undefined;
  const isWell = shownHealth(news.is).health === 'healthy';
  return isWell
    ? { health: 'healthy', streak: shownHealth(news.was) }
    : { health: 'unhealthy', streak: shownHealth(news.is) };
};

/**
 * Returns the incidents, to which an incident is added if this input caused one. `to`: the new state, if the
 * state changed.
 */
export const noticed = (
  run: Run,
  to: ServiceState | undefined,
  { input, at }: { readonly input: Input; readonly at: Instant },
): Run['incidents'] => {
  const { actual, incidents } = run;
  const facts = incidentFactsOf(run, to ?? actual, input);
  if (facts === undefined) return incidents;
  const entry: Incident = { at, during: actual.tag, cause: input.type, facts };
  return [...(incidents ?? []), entry].slice(-KEPT_INCIDENTS);
};
