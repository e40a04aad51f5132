// The services that `sup wait` waits for, and how far they are. With a supervisor, every view that it
// sends is judged until the outcome is known or the time is over. Without one, or when it has just ended,
// only its records can tell that services have stopped; no other goal can be reached then.
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../../client/client.ts';
import type { Context } from '../../context.ts';
import { applyView, NOTHING, servicesIn, idsIn } from '../../watch/live-model.ts';
import type { Selection } from '../../../streams/domain/command.ts';
import { nameOf, projectId, projectOf, serviceId, type ServiceId } from '../../../streams/domain/ids.ts';
import type { ProjectDocument, ServiceDocument } from '../../../streams/wire/documents/documents.ts';
import type { Goal, WaitDocument } from '../../../streams/wire/documents/wait-document.ts';
import { startTicksOf } from '../../../os/proc/process-stat.ts';
import { waitVerdict } from '../../../streams/views/wait-verdict.ts';

/** Documents by `project/service`. */
type Seen = ReadonlyMap<string, ServiceDocument>;

interface Awaited {
  readonly goal: Goal;
  readonly ids: readonly ServiceId[];
  /** Services with a health check. */
  readonly checked: ReadonlySet<ServiceId>;
  /** Their state at the request: the time may run out before the first view arrives. */
  readonly seen: Seen;
}

type Judged = WaitDocument['services'];

/** From `sup status`. */
const seenIn = (projects: readonly ProjectDocument[]): Seen =>
  new Map(servicesIn(projects).map(({ id, service }) => [id, service]));

interface Whom {
  readonly selection: Selection;
  readonly goal: Goal;
}

/** Rejects if a name is wrong, and with ERR0205 after `timeoutMs`. */
export const awaited = async (
  client: Client,
  { selection, goal }: Whom,
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

/** Why a service without a health check never becomes healthy. */
export const UNCHECKED = 'it has no health_check, so it never becomes healthy: use sup wait --for running';

/** How far each service is. */
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

/** True if all have reached the goal, or one never will by itself. */
const isSettled = (services: Judged): boolean =>
  isReached(services) || services.some(({ verdict }) => verdict === 'never');

export interface Waited {
  readonly services: Judged;
  readonly timedOut: boolean;
}

/**
 * Settles with the first view that decides the outcome, or with the last view when the time is over. Rejects
 * with a `ClientFailure` if the supervisor ends or stops answering.
 */
export const settled = (client: Client, whom: Awaited, timeout: number | undefined): Promise<Waited> =>
  new Promise((resolve, reject) => {
    let model = NOTHING;
    let { seen } = whom;
    const late = (): void => resolve({ services: judged(seen, whom), timedOut: true });
    const timer = timeout === undefined ? undefined : setTimeout(late, timeout);
    client.onView((view) => {
      model = applyView(model, view);
      seen = model.services;
      const services = judged(seen, whom);
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

/** Time after which its last records are on disk. */
const LAST_WORDS_MS = 2_000;
const LOOK_EVERY_MS = 20;

/** A process, safe from reuse of its pid. */
interface Identity {
  readonly pid: number;
  readonly startTicks: number | undefined;
}

/** Settles when that supervisor has exited, or has had time to write its last records. */
export const goneBy = async ({ pid, startTicks }: Identity): Promise<void> => {
  const began = performance.now();
  while (startTicks !== undefined && startTicksOf(pid) === startTicks) {
    if (performance.now() - began > LAST_WORDS_MS) return;
    await pause(LOOK_EVERY_MS);
  }
};

/** The services as recorded; `undefined` if one of them is not stopped. */
export const stoppedByRecord = async (
  context: Context,
  selection: Selection,
): Promise<Judged | undefined> => {
  const { offlineStatus } = await import('../../offline/offline-status.ts');
  const { projects } = offlineStatus(context, selection, undefined);
  const seen = seenIn(projects);
  const services = judged(seen, { goal: 'stopped', ids: idsIn(projects), checked: new Set(), seen });
  return isReached(services) ? services : undefined;
};
