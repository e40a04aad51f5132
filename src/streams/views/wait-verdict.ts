// Decides for `sup wait` whether a service has reached the goal, may still reach it, or cannot reach it
// without another command.
import type { ServiceDocument, StateWord } from '../wire/documents/documents.ts';
import type { Goal } from '../wire/documents/wait-document.ts';

type Verdict = 'reached' | 'pending' | 'never';

/** The states that a service leaves only by a command. */
export const AT_REST: ReadonlySet<StateWord> = new Set([
  'stopped',
  'done',
  'failed',
  'breaker-open',
  'skipped',
  'lost',
]);

type WaitFields = Pick<ServiceDocument, 'state' | 'health' | 'error' | 'because_of' | 'last_exit' | 'wanted'>;

export interface WaitContext {
  readonly goal: Goal;
  /** Returns another service of the same project, by its name. */
  readonly neighbour: (name: string) => WaitFields | undefined;
  /** True if the service has a health check. The goal `healthy` needs one. */
  readonly isChecked: boolean;
}

type Judge = (service: WaitFields, context: WaitContext) => Verdict;

/**
 * Returns the services that this service waits for. If the service is running, it waits for none, even if the
 * new run of its rollout waits.
 */
const dueTo = ({ state, because_of: names }: WaitFields): readonly string[] =>
  state === 'running' ? [] : names;

/** True if the service waits, directly or indirectly, for a service that only a command can start. */
const isStuck = (service: WaitFields, neighbour: WaitContext['neighbour']): boolean => {
  const seen = new Set(dueTo(service));
  for (const name of seen) {
    const other = neighbour(name);
    if (other === undefined || AT_REST.has(other.state)) return true;
    for (const further of dueTo(other)) seen.add(further);
  }
  return false;
};

const onTheWay: Judge = (service, { neighbour }) => {
  if (AT_REST.has(service.state)) return 'never';
  return isStuck(service, neighbour) ? 'never' : 'pending';
};

const ofRunning: Judge = (service, context) =>
  service.state === 'running' ? 'reached' : onTheWay(service, context);

const ofHealthy: Judge = (service, context) => {
  if (!context.isChecked) return 'never';
  return service.state === 'running' && service.health === 'healthy' ? 'reached' : onTheWay(service, context);
};

/** Returns the result for a service between two scheduled runs, from the result of the last run. */
const ofScheduled = ({ error, last_exit: exit }: WaitFields): Verdict => {
  if (error !== null) return 'never';
  return exit?.success === true ? 'reached' : 'pending';
};

const endedWell = ({ state, wanted, last_exit: exit }: WaitFields): boolean =>
  state === 'done' || (state === 'stopped' && wanted === 'up' && exit?.success === true);

const ofDone: Judge = (service, context) => {
  if (service.state === 'scheduled') return ofScheduled(service);
  return endedWell(service) ? 'reached' : onTheWay(service, context);
};

const JUDGES: Readonly<Record<Goal, Judge>> = {
  running: ofRunning,
  healthy: ofHealthy,
  done: ofDone,
  // The result `never` is not possible, because every service can be stopped.
  stopped: ({ state }) => (AT_REST.has(state) ? 'reached' : 'pending'),
};

/**
 * Returns whether the service has reached the goal, may still reach it, or cannot reach it without another
 * command. A removed service counts as stopped.
 */
export const waitVerdict = (service: WaitFields | undefined, context: WaitContext): Verdict => {
  if (service === undefined) return context.goal === 'stopped' ? 'reached' : 'never';
  return JUDGES[context.goal](service, context);
};
