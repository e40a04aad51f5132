// Whether a service is where somebody waits for it, is on its way there, or does not get there by itself any more.
import type { ServiceDocument, StateWord } from '../wire/documents/documents.ts';
import type { Goal } from '../wire/documents/wait-document.ts';

type Verdict = 'reached' | 'pending' | 'never';

/** Nothing that it does by itself brings such a service back. */
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
  /** Whether anything checks its health; asked only where that is the goal. */
  readonly isChecked: boolean;
}

type Judge = (service: Shown, context: WaitContext) => Verdict;

/** Whom it waits for; who is running goes on, whatever its candidate waits for. */
const dueTo = ({ state, because_of: names }: Shown): readonly string[] => (state === 'running' ? [] : names);

/** Somebody it needs, be it through others, is at rest. */
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

/** Its last run tells, until the next begins. */
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
  // However it came to rest; somebody may always still stop it.
  stopped: ({ state }) => (AT_REST.has(state) ? 'reached' : 'pending'),
};

/** `undefined`: it is not declared any more. */
export const waitVerdict = (service: Shown | undefined, context: WaitContext): Verdict => {
  if (service === undefined) return context.goal === 'stopped' ? 'reached' : 'never';
  return JUDGES[context.goal](service, context);
};
