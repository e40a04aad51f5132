// Which services a command means: names to ids, or the error that says what is wrong with the name.
import type { Selection } from '../../domain/command.ts';
import type { SupError } from '../../domain/error.ts';
import { LOOSE } from '../../domain/ids.ts';
import type { Service } from '../../domain/service.ts';
import type { Selected } from '../../views/snapshot.ts';
import { servicesOf } from '../roster.ts';
import type { SupervisorState } from '../state.ts';

const refused = (error: SupError): Selected => ({ ok: false, error });

/** `web`, or `shop/web`. */
const matches = (service: Service, name: string): boolean =>
  service.spec.name === name || service.spec.id === name;

const unknown = (name: string, services: readonly Service[]): Selected =>
  refused({
    code: 'ERR0202',
    name,
    known: services.map(({ spec }) => (spec.project === LOOSE ? spec.name : spec.id)),
  });

const named = (name: string, scope: readonly Service[], all: readonly Service[]): Selected => {
  const found = scope.filter((service) => matches(service, name));
  const [only] = found;
  if (found.length > 1)
    return refused({ code: 'ERR0006', name, projects: found.map(({ spec }) => spec.project) });
  if (only !== undefined) return { ok: true, ids: [only.spec.id] };
  const elsewhere = all.find(({ spec }) => spec.id === name);
  if (elsewhere === undefined) return unknown(name, scope.length > 0 ? scope : all);
  return refused({
    code: 'ERR0201',
    detail: `service "${name}" is not part of the selection made with -p or -c`,
  });
};

const declared = ({ spec, revised }: Service): string => (revised ?? spec).manifest;

/** The services that a selection names. Nothing named: all. */
export const select = (state: SupervisorState, selection: Selection): Selected => {
  const { project, service: name, manifest } = selection;
  const all = servicesOf(state.roster);
  if (project !== undefined && !Object.keys(state.projects).includes(project))
    return refused({ code: 'ERR0202', name: project, known: Object.keys(state.projects) });
  const scope = all.filter(
    (service) =>
      (project === undefined || service.spec.project === project) &&
      (manifest === undefined || declared(service) === manifest),
  );
  if (name !== undefined) return named(name, scope, all);
  if (project !== undefined && manifest !== undefined && scope.length === 0)
    return refused({ code: 'ERR0201', detail: `project "${project}" is not declared by ${manifest}` });
  return { ok: true, ids: scope.map(({ spec }) => spec.id) };
};
