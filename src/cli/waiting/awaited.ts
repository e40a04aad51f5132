// Who is waited for, and how far they are.
import type { Selection } from '../../streams/domain/command.ts';
import { nameOf, projectId, projectOf, serviceId, type ServiceId } from '../../streams/domain/ids.ts';
import { waitVerdict } from '../../streams/views/wait.ts';
import type { ProjectDocument } from '../../streams/wire/documents/documents.ts';
import type { Goal, WaitDocument } from '../../streams/wire/documents/wait-document.ts';
import type { Client } from '../client/client.ts';
import type { LiveModel } from '../watch/live-model.ts';

export interface Awaited {
  readonly goal: Goal;
  readonly ids: readonly ServiceId[];
  /** Those that have a health check. */
  readonly checked: ReadonlySet<ServiceId>;
}

export type Judged = WaitDocument['services'];

export const idsIn = (projects: readonly ProjectDocument[]): readonly ServiceId[] =>
  projects.flatMap(({ id, services }) => services.map(({ name }) => serviceId(projectId(id), name)));

interface Whom {
  readonly selection: Selection;
  readonly goal: Goal;
}

/** Rejects with what is wrong with a name, and with ERR0205 after `timeoutMs`. */
export const awaited = async (
  client: Client,
  { selection, goal }: Whom,
  timeoutMs: number,
): Promise<Awaited> => {
  if (goal !== 'healthy') {
    const { projects } = await client.call('status', selection, { timeoutMs });
    return { goal, ids: idsIn(projects), checked: new Set() };
  }
  const { services } = await client.call('inspect', selection, { timeoutMs });
  const idOf = (one: (typeof services)[number]): ServiceId => serviceId(projectId(one.project), one.name);
  const checked = services.filter(({ health_check: check }) => check !== null);
  return { goal, ids: services.map(idOf), checked: new Set(checked.map(idOf)) };
};

/** How far each of them is. */
export const judged = ({ services }: LiveModel, { goal, ids, checked }: Awaited): Judged =>
  ids.map((id) => {
    const service = services.get(id);
    const neighbour = (name: string): ReturnType<typeof services.get> =>
      services.get(serviceId(projectOf(id), name));
    const verdict = waitVerdict(service, { goal, neighbour, isChecked: checked.has(id) });
    const { state = null, health = 'unknown', reason = null } = service ?? {};
    return { project: projectOf(id), service: nameOf(id), state, health, verdict, reason };
  });

export const isReached = (services: Judged): boolean =>
  services.every(({ verdict }) => verdict === 'reached');

/** All are there, or one does not get there by itself any more. */
export const isSettled = (services: Judged): boolean =>
  isReached(services) || services.some(({ verdict }) => verdict === 'never');
