// The services that `sup logs` and `sup events` can select: recorded services, and removed services that
// still have logs or events. A name without a project is looked up among registered services first.
import { type Dirent, readdirSync } from 'node:fs';
import { type DataPlace, readRecorded } from './recorded.ts';
import { errnoOf } from '../os/errno.ts';
import type { Selection } from '../streams/domain/command.ts';
import type { SupError } from '../streams/domain/errors/error.ts';
import { messageOf } from '../streams/domain/errors/thrown.ts';
import {
  groupOf,
  RECORDED_NAME,
  nameOf,
  projectId,
  projectOf,
  serviceId,
  type ServiceId,
} from '../streams/domain/ids.ts';
import { isPattern, isSelected, means, type Selectable } from '../streams/selection/match.ts';
import { type Known, select } from '../streams/selection/select.ts';
import { failure } from '../streams/views/errors/command-failure.ts';
import { layoutOf } from '../streams/wire/layout.ts';
import { logNameOf } from '../streams/wire/log-file-names.ts';

const entriesOf = (directory: string): readonly Dirent[] => {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw failure({ code: 'ERR0701', file: directory, detail: messageOf(error) });
  }
};

const servicesIn = (logs: string, project: string): readonly ServiceId[] => {
  const names = entriesOf(`${logs}/${project}`).flatMap(
    ({ name }) => logNameOf(name)?.log.slice(0, -'.log'.length) ?? [],
  );
  const valid = [...new Set(names)].filter((name) => RECORDED_NAME.test(name));
  return valid.map((name) => serviceId(projectId(project), name));
};

/** Returns the services that have log files. Throws ERR0701 if the log directory cannot be read. */
export const loggedServices = (dataDir: string): readonly ServiceId[] => {
  const logs = layoutOf(dataDir).supervisorLogs;
  const projects = entriesOf(logs).filter((entry) => entry.isDirectory());
  return projects.flatMap(({ name }) => servicesIn(logs, name)).sort();
};

const isBare = (written: string): boolean => !isPattern(written) && !written.includes('/');

/**
 * Returns the selection. If exactly one registered service has a bare name, this name is replaced by the id
 * of the service.
 */
export const registeredFirst = (selection: Selection, registered: readonly Selectable[]): Selection => {
  const { services, ...borders } = selection;
  if (services === undefined) return selection;
  const within = registered.filter((service) => isSelected(service, borders));
  const meant = services.map((written) => {
    const found = isBare(written) ? within.filter((service) => means(written, service)) : [];
    const ids = new Set(found.map(({ id }) => (written.includes('@') ? id : groupOf(id))));
    const [only] = ids;
    return (ids.size === 1 ? only : undefined) ?? written;
  });
  return { ...selection, services: meant };
};

/**
 * Returns ERR0006 (ambiguous name) without the projects of forgotten services, unless only forgotten services
 * have the name.
 */
export const withoutForgotten = (error: SupError, registered: readonly Selectable[]): SupError => {
  if (error.code !== 'ERR0006') return error;
  const known = new Set(
    registered.filter((service) => means(error.name, service)).map(({ project }) => project),
  );
  const projects = error.projects.filter((project) => known.has(project));
  return projects.length === 0 ? { ...error, forgotten: true } : { ...error, projects };
};

/**
 * Returns a forgotten service in the form that selections need. Its manifest is empty, because it is unknown.
 */
const remembered = (id: ServiceId): Selectable => ({
  id,
  name: nameOf(id),
  project: projectOf(id),
  manifest: '',
});

interface Past {
  /** Everything that a selection may mean: recorded and forgotten services. */
  readonly known: Known;
  readonly recorded: readonly Selectable[];
}

const pastOf = (place: DataPlace, beside: readonly ServiceId[]): Past => {
  const { services, projects, manifests } = readRecorded(place);
  const recorded = services.map(({ spec }) => spec);
  const ids = new Set(recorded.map(({ id }) => id));
  const past = new Set([...loggedServices(place.dataDir), ...beside].filter((id) => !ids.has(id)));
  const known = {
    services: [...recorded, ...[...past].map(remembered)],
    projects: [...Object.values(projects), ...[...past].map((id) => ({ id: projectOf(id), manifest: '' }))],
    manifests,
  };
  return { known, recorded };
};

/** Returns the selected services. `beside`: further services to select from. Throws for a wrong selection. */
export const selectedPast = (
  selection: Selection,
  place: DataPlace,
  beside: readonly ServiceId[] = [],
): readonly ServiceId[] => {
  const { known, recorded } = pastOf(place, beside);
  const found = select(known, registeredFirst(selection, recorded));
  if (!found.ok) throw failure(withoutForgotten(found.error, recorded));
  return found.ids;
};
