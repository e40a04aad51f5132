// Decides when `sup wait` is over: all services have reached the goal, a service can never reach it, or the
// timeout has expired. Without a supervisor, the only goal is that services have stopped, which the records
// can show.
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../client.ts';
import type { ReadPlace } from '../manifests/manifest-paths.ts';
import { applyView, NOTHING, servicesIn, idsIn } from '../live-model.ts';
import type { Selection } from '../../streams/domain/command.ts';
import { nameOf, projectId, projectOf, serviceId, type ServiceId } from '../../streams/domain/ids.ts';
import type { ProjectDocument, ServiceDocument } from '../../streams/wire/documents/documents.ts';
import type { Goal, WaitDocument } from '../../streams/wire/documents/wait-document.ts';
import { startTicksOf } from '../../os/proc/process-stat.ts';
import { waitVerdict } from '../../streams/views/wait-verdict.ts';

/** Documents of the services, by `project/service`. */
type Seen = ReadonlyMap<string, ServiceDocument>;

interface Awaited {
  readonly goal: Goal;
  readonly ids: readonly ServiceId[];
  readonly checked: ReadonlySet<ServiceId>;
  /**
   * The services' states at the beginning. They are the result if the timeout expires before the first view
   * arrives.
   */
  readonly seen: Seen;
}

type Judged = WaitDocument['services'];

/** Returns the services of a status document, by id. */
const seenIn = (projects: readonly ProjectDocument[]): Seen =>
  new Map(servicesIn(projects).map(({ id, service }) => [id, service]));

interface WaitFor {
  readonly selection: Selection;
  readonly goal: Goal;
}

/**
 * Resolves to the services to wait for and their states. Rejects if the selection is wrong or the supervisor
 * does not answer.
 */
export const awaited = async (
  client: Client,
  { selection, goal }: WaitFor,
  timeoutMs: number,
): Promise<Awaited> => {
  if (goal !== 'healthy') {
    const { projects } = await client.call('status', selection, { timeoutMs });
    return { goal, ids: idsIn(projects), checked: new Set(), seen: seenIn(projects) };
  }
  const { services } = await client.call('inspect', selection, { timeoutMs });
  const idOf = (one: (typeof services)[number]): ServiceId => serviceId(projectId(one.project), one.name);
  const checked = services.filter(({ health_check: check }) => check !== null);
  const seen = new Map(services.map((one) => [idOf(one), one]));
  return { goal, ids: services.map(idOf), checked: new Set(checked.map(idOf)), seen };
};

/** Message for a service without a health check, which can never become healthy. */
export const UNCHECKED = 'it has no health_check, so it never becomes healthy: use sup wait --for running';

/**
 * Returns the result for each service: it has reached the goal, may still reach the goal, or can never reach
 * it.
 */
const judged = (services: Seen, { goal, ids, checked }: Awaited): Judged =>
  ids.map((id) => {
    const service = services.get(id);
    const neighbour = (name: string): ReturnType<typeof services.get> =>
      services.get(serviceId(projectOf(id), name));
    const isChecked = checked.has(id);
    const verdict = waitVerdict(service, { goal, neighbour, isChecked });
    const { state = null, health = 'unknown', reason = null } = service ?? {};
    const why = goal === 'healthy' && service !== undefined && !isChecked ? UNCHECKED : reason;
    return { project: projectOf(id), service: nameOf(id), state, health, verdict, reason: why };
  });

export const isReached = (services: Judged): boolean =>
  services.every(({ verdict }) => verdict === 'reached');

/**
 * True if waiting is over: all services have reached the goal, or a service cannot reach it without a
 * command.
 */
const isSettled = (services: Judged): boolean =>
  isReached(services) || services.some(({ verdict }) => verdict === 'never');

export interface Waited {
  readonly services: Judged;
  readonly timedOut: boolean;
}

/**
 * Resolves to the outcome when waiting is over according to a view. After `timeout` ms, resolves to the
 * outcome of the last view. Rejects with a `ClientFailure` if the supervisor ends.
 */
export const settled = (client: Client, target: Awaited, timeout: number | undefined): Promise<Waited> =>
  new Promise((resolve, reject) => {
    let model = NOTHING;
    let { seen } = target;
    const late = (): void => resolve({ services: judged(seen, target), timedOut: true });
    const timer = timeout === undefined ? undefined : setTimeout(late, timeout);
    client.onView((view) => {
      model = applyView(model, view);
      seen = model.services;
      const services = judged(seen, target);
      if (!isSettled(services)) return;
      clearTimeout(timer);
      resolve({ services, timedOut: false });
    });
    void client.ended.then((failed) => {
      clearTimeout(timer);
      if (failed !== undefined) reject(failed);
    });
    client.call('watch', {}).catch(reject);
  });

/** How long a supervisor that ends may take to write its last records, ms. */
const LAST_WORDS_MS = 2_000;
const LOOK_EVERY_MS = 20;

/** A process: its pid and start time, because a pid can be reused. */
interface Identity {
  readonly pid: number;
  readonly startTicks: number | undefined;
}

/** Resolves when the supervisor has exited and written its last records, or after `LAST_WORDS_MS`. */
export const goneBy = async ({ pid, startTicks }: Identity): Promise<void> => {
  const began = performance.now();
  while (startTicks !== undefined && startTicksOf(pid) === startTicks) {
    if (performance.now() - began > LAST_WORDS_MS) return;
    await pause(LOOK_EVERY_MS);
  }
};

/** Resolves to the recorded states of the services, or to `undefined` if a service has not stopped. */
export const stoppedByRecord = async (
  place: ReadPlace,
  selection: Selection,
): Promise<Judged | undefined> => {
  const { recordedStatus } = await import('../manifests/recorded-status.ts');
  const { projects } = recordedStatus(place, selection, undefined);
  const seen = seenIn(projects);
  const services = judged(seen, { goal: 'stopped', ids: idsIn(projects), checked: new Set(), seen });
  return isReached(services) ? services : undefined;
};
