// The awaited services, and how far they are.
import type { Selection } from '../../../streams/domain/command.ts';
import { nameOf, projectId, projectOf, serviceId, type ServiceId } from '../../../streams/domain/ids.ts';
import { waitVerdict } from '../../../streams/views/wait-verdict.ts';
import type { ProjectDocument, ServiceDocument } from '../../../streams/wire/documents/documents.ts';
import type { Goal, WaitDocument } from '../../../streams/wire/documents/wait-document.ts';
import type { Client } from '../../client/client.ts';
import { servicesIn } from '../../watch/live-model.ts';

/** Documents by `project/service`. */
type Seen = ReadonlyMap<string, ServiceDocument>;

export interface Awaited {
  readonly goal: Goal;
  readonly ids: readonly ServiceId[];
  /** Services with a health check. */
  readonly checked: ReadonlySet<ServiceId>;
  /** Their state at the request: the time may run out before the first view arrives. */
  readonly seen: Seen;
}

export type Judged = WaitDocument['services'];

export const idsIn = (projects: readonly ProjectDocument[]): readonly ServiceId[] =>
  projects.flatMap(({ id, services }) => services.map(({ name }) => serviceId(projectId(id), name)));

/** From `sup status`. */
export const seenIn = (projects: readonly ProjectDocument[]): Seen =>
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
export const judged = (services: Seen, { goal, ids, checked }: Awaited): Judged =>
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
export const isSettled = (services: Judged): boolean =>
  isReached(services) || services.some(({ verdict }) => verdict === 'never');
