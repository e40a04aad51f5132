// Registered projects and services: from the supervisor, otherwise from records and manifests.
import type { Registered } from '../../../sinks/store/leftovers.ts';
import { projectId, serviceId } from '../../../streams/domain/ids.ts';
import type { Client } from '../../client/client.ts';
import type { Context } from '../../context.ts';
import { declaredIn } from '../../offline/declared.ts';
import { readRecorded } from '../../offline/recorded.ts';
import { loadPorts } from '../../selection/manifest-argument.ts';

export const registeredWith = async (client: Client): Promise<Registered> => {
  const { projects } = await client.call('status', {});
  const services = projects.flatMap(({ id, services: names }) =>
    names.map(({ name }) => serviceId(projectId(id), name)),
  );
  return { projects: new Set(projects.map(({ id }) => projectId(id))), services: new Set(services) };
};

export const registeredWithout = (context: Context): Registered => {
  const { manifests, services } = readRecorded(context);
  const declared = declaredIn(manifests, loadPorts(context));
  const specs = [...services.map(({ spec }) => spec), ...declared.flatMap((one) => one.services)];
  const projects = declared.flatMap((one) => one.projects.map(({ id }) => id));
  return {
    projects: new Set([...projects, ...specs.map(({ project }) => project)]),
    services: new Set(specs.map(({ id }) => id)),
  };
};
