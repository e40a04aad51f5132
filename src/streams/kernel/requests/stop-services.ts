// The commands that end services: `stop`, `forget`, and the end of the supervisor.
import type { RequestId } from '../../domain/ids.ts';
import type { Service, Tag } from '../../domain/service/service.ts';
import { changeState, find, put, revisit, setState, type Draft } from '../draft.ts';
import { servicesOf } from '../service-table.ts';
import { isMissed, leave } from '../rules/remove-undeclared.ts';
import { send } from '../send.ts';
import { withoutTables } from '../supervisor-keys.ts';
import { refuse } from './command-reply.ts';
import { received, type Request } from './request.ts';
import { select } from './selected-services.ts';
import { aim, awaitTargets, withdraw } from './request-targets.ts';

/** Stops the selected services, in the order of `rules/stop-order.ts`. */
export const stop = (draft: Draft, request: Request): void => {
  if (request.command.type !== 'stop') return;
  const selected = select(draft.state, request.command.selection);
  if (!selected.ok) return refuse(draft, request, selected.error);
  withdraw(draft, selected.ids);
  const aimed = aim(draft, request, selected.ids);
  for (const id of selected.ids) {
    const service = find(draft, id);
    if (service?.resume) put(draft, { ...service, resume: false });
    send(draft, id, { type: 'stop' });
  }
  awaitTargets(draft, aimed);
};

/** Unregisters the manifest of a `forget`, and removes its services. */
export const forget = (draft: Draft, request: Request): void => {
  if (request.command.type !== 'forget') return;
  const { manifest } = request.command;
  const { [manifest]: known, ...manifests } = draft.state.manifests;
  if (known === undefined)
    return refuse(draft, request, { code: 'ERR0202', name: manifest, known: Object.keys(manifests) });
  const services = servicesOf(draft.state.roster).filter(({ spec }) => spec.manifest === manifest);
  const projects = Object.entries(draft.state.projects).filter(
    ([, project]) => project.manifest !== manifest,
  );
  const without = { ...draft.state, manifests, projects: Object.fromEntries(projects) };
  setState(draft, withoutTables(without, manifest));
  const targets = services.map(({ spec }) => spec.id);
  awaitTargets(draft, aim(draft, request, targets));
  services.forEach((service) => leave(draft, service));
};

/**
 * States that a shutdown leaves as they are, because no process must be stopped. The next supervisor
 * continues from them: done, failed and broken are results, and a backoff or a wait for failed dependencies
 * goes on.
 */
const RESTING: ReadonlySet<Tag> = new Set(['down', 'broken', 'backing-off', 'casualty']);

/** True if a service without a run still has a candidate, children or leftover processes to stop. */
const hasParts = ({ rollout, children = [], remnants = [] }: Service): boolean =>
  rollout !== undefined || children.length > 0 || remnants.length > 0;

/** Stops the candidate, children and leftover processes of a service without changing its state. */
const endParts = (draft: Draft, service: Service): void => {
  put(draft, { ...service, wanted: 'down', resume: isMissed(service) });
  revisit(draft, service.spec.id);
};

/**
 * Stops all services and ends the supervisor. `resume`: the next supervisor starts the services that were
 * meant to run.
 */
export const shutDown = (draft: Draft, id: RequestId, resume: boolean): void => {
  withdraw(
    draft,
    servicesOf(draft.state.roster).map(({ spec }) => spec.id),
  );
  const all = servicesOf(draft.state.roster);
  const rests = ({ actual }: Service): boolean => resume && RESTING.has(actual.tag);
  const services = all.filter((service) => !rests(service));
  if (draft.state.phase !== 'closed') changeState(draft, { phase: 'closing' });
  const targets = services.map(({ spec }) => spec.id);
  const aimed = aim(draft, received(id, { type: 'shutdown' }, draft.at), targets);
  for (const service of services) put(draft, { ...service, resume: resume && isMissed(service) });
  targets.forEach((target) => send(draft, target, { type: 'stop' }));
  all.filter((service) => rests(service) && hasParts(service)).forEach((service) => endParts(draft, service));
  awaitTargets(draft, aimed);
};
