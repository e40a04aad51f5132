// Whether a service has reached the goal of `sup wait`, is on its way, or never will by itself.
import type { ServiceDocument, StateWord } from '../wire/documents/documents.ts';
import type { Goal } from '../wire/documents/wait-document.ts';

type Verdict = 'reached' | 'pending' | 'never';

/** A service in these states never comes back by itself. */
export const AT_REST: ReadonlySet<StateWord> = new Set([
  'stopped',
  'done',
  'failed',
  'breaker-open',
  'skipped',
  'lost',
]);

type Shown = Pick<ServiceDocument, 'state' | 'health' | 'error' | 'because_of' | 'last_exit' | 'wanted'>;

export interface WaitContext {
  readonly goal: Goal;
  /** A service of the same project, by its name. */
  readonly neighbour: (name: string) => Shown | undefined;
  /** Whether it has a health check; only read for the goal `healthy`. */
  readonly isChecked: boolean;
}

type Judge = (service: Shown, context: WaitContext) => Verdict;

/** What it waits for; nothing if it is running, even if its candidate waits. */
const dueTo = ({ state, because_of: names }: Shown): readonly string[] => (state === 'running' ? [] : names);

/** True if a direct or indirect dependency is at rest. */
const isStuck = (service: Shown, neighbour: WaitContext['neighbour']): boolean => {
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

/** Judges by the last run, until the next begins. */
const ofScheduled = ({ error, last_exit: exit }: Shown): Verdict => {
  if (error !== null) return 'never';
  return exit?.code === 0 ? 'reached' : 'pending';
};

const endedWell = ({ state, wanted, last_exit: exit }: Shown): boolean =>
  state === 'done' || (state === 'stopped' && wanted === 'up' && exit?.code === 0);

const ofDone: Judge = (service, context) => {
  if (service.state === 'scheduled') return ofScheduled(service);
  return endedWell(service) ? 'reached' : onTheWay(service, context);
};

const JUDGES: Readonly<Record<Goal, Judge>> = {
  running: ofRunning,
  healthy: ofHealthy,
  done: ofDone,
  // However it came to rest. Never `never`, since it can still be stopped.
  stopped: ({ state }) => (AT_REST.has(state) ? 'reached' : 'pending'),
};

/** The verdict; `undefined`: it is not declared any more. */
export const waitVerdict = (service: Shown | undefined, context: WaitContext): Verdict => {
  if (service === undefined) return context.goal === 'stopped' ? 'reached' : 'never';
  return JUDGES[context.goal](service, context);
};
