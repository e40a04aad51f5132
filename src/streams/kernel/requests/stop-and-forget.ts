// The commands that stop and remove services: `stop` and `forget`. `shutdown` is in `supervisor-end.ts`.
// Rules: `docs/behaviour.md`, "Restart by hand"; `docs/behaviour.md`, "Stopping", "Order".
import { find, put, setState, type Draft } from '../draft.ts';
import { withProfiles, withReading } from '../register-manifests.ts';
import { servicesOf } from '../service-table.ts';
import { scalesAfter } from '../rollouts/number-of-instances.ts';
import { beginRemoval } from '../rules/remove-undeclared.ts';
import { send } from '../send.ts';
import { withoutTables } from '../supervisor-keys.ts';
import { refuse } from './answer/command-reply.ts';
import { orderOf, type Request } from './request.ts';
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
