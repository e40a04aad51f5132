// The commands that end services: `stop`, `forget` and `shutdown`.
// Rules: `docs/behaviour.md`, "One supervisor"; `docs/behaviour.md`, "Restart by hand".
import type { Service, Tag } from '../../domain/service/service.ts';
import { changeState, find, put, revisit, setState, type Draft } from '../draft.ts';
import { withProfiles, withReading } from '../register-manifests.ts';
import { servicesOf } from '../service-table.ts';
import { scalesAfter } from '../rollouts/number-of-instances.ts';
import { isMissed, beginRemoval } from '../rules/remove-undeclared.ts';
import { send } from '../send.ts';
import { withoutTables } from '../supervisor-keys.ts';
import { refuse } from './answer/command-reply.ts';
import { orderOf, received, type Request } from './request.ts';
import { select } from './selected-services.ts';
import { aim, awaitTargets } from './set-targets.ts';
import { withdraw } from './restart-in-turn.ts';

/** Stops the selected services, dependents first. */
export const stop = (draft: Draft, request: Request): void => {
  if (request.command.type !== 'stop') return;
  const selected = select(draft.state, request.command.selection);
  if (!selected.ok) return refuse(draft, request, selected.error);
  withdraw(draft, selected.ids);
  const aimed = aim(draft, request, selected.ids);
  for (const id of selected.ids) {
    const service = find(draft, id);
    if (service?.resume) put(draft, { ...service, resume: false });
    send(draft, id, { type: 'stop', ...orderOf(request) });
  }
  awaitTargets(draft, aimed);
};

/** Unregisters a manifest and removes its services. */
export const forget = (draft: Draft, request: Request): void => {
  if (request.command.type !== 'forget') return;
  const { manifest } = request.command;
  const { [manifest]: known, ...manifests } = draft.state.manifests;
  if (known === undefined)
    return refuse(draft, request, { code: 'ERR0202', name: manifest, known: Object.keys(manifests) });
  const services = servicesOf(draft.state.serviceTable).filter(({ spec }) => spec.manifest === manifest);
  const projects = Object.entries(draft.state.projects).filter(
    ([, project]) => project.manifest !== manifest,
  );
  const kept = withReading(draft.state.readings, manifest);
  const scales = scalesAfter(draft.state.scales, { path: manifest });
  const profiles = withProfiles(draft.state.profiles, { path: manifest });
  const without = {
    ...draft.state,
    ...kept,
    ...profiles,
    ...scales,
    manifests,
    projects: Object.fromEntries(projects),
  };
  setState(draft, withoutTables(without, manifest));
  const targets = services.map(({ spec }) => spec.id);
  awaitTargets(draft, aim(draft, request, targets));
  services.forEach((service) => beginRemoval(draft, service, request));
};

/**
 * States that a shutdown does not change: they have no process, and the next supervisor continues from them.
 */
const RESTING: ReadonlySet<Tag> = new Set(['down', 'broken', 'backing-off', 'casualty']);

/** True if a service without a current run still has other processes to stop. */
const hasParts = ({ rollout, children = [], remnants = [] }: Service): boolean =>
  rollout !== undefined || children.length > 0 || remnants.length > 0;

/**
 * Stops the processes that do not belong to the current run, such as children. The state of the service does
 * not change.
 */
const endParts = (draft: Draft, service: Service): void => {
  put(draft, { ...service, wanted: 'down', resume: isMissed(service) });
  revisit(draft, service.spec.id);
};

/**
 * Stops all services, then the supervisor. `resume`: the next supervisor starts the services that were meant
 * to run.
 */
export const shutDown = (draft: Draft, asked: Pick<Request, 'id' | 'origin'>, resume: boolean): void => {
  withdraw(
    draft,
    servicesOf(draft.state.serviceTable).map(({ spec }) => spec.id),
  );
  const all = servicesOf(draft.state.serviceTable);
  const rests = ({ actual }: Service): boolean => resume && RESTING.has(actual.tag);
  const services = all.filter((service) => !rests(service));
  if (draft.state.phase !== 'closed') changeState(draft, { phase: 'closing' });
  const targets = services.map(({ spec }) => spec.id);
  const aimed = aim(draft, { ...received(asked.id, { type: 'shutdown' }, draft.at), ...asked }, targets);
  for (const service of services) put(draft, { ...service, resume: resume && isMissed(service) });
  targets.forEach((target) => send(draft, target, { type: 'stop', ...orderOf(asked) }));
  all.filter((service) => rests(service) && hasParts(service)).forEach((service) => endParts(draft, service));
  awaitTargets(draft, aimed);
};
