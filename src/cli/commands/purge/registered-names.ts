// Finds the registered projects and services: asks the supervisor, or reads records and manifests if none
// runs. `sup purge` removes leftovers of all other projects and services.
import type { Client } from '../../../client/client.ts';
import { isSilent } from '../../../client/client-failure.ts';
import { connectIfRunning } from '../../../client/wait-for-supervisor.ts';
import type { Context } from '../../context.ts';
import { loadPorts } from '../../../client/manifests/manifest-paths.ts';
import { declaredIn } from '../../../manifest/load.ts';
import { readRecorded } from '../../../client/recorded.ts';
import { leftoversIn, type RegisteredNames } from '../../../sinks/store/unregistered-files.ts';
import { projectId } from '../../../streams/domain/ids.ts';
import { idsIn } from '../../../client/live-model.ts';

export const registeredWith = async (client: Client): Promise<RegisteredNames> => {
  const { projects } = await client.call('status', {});
  return { projects: new Set(projects.map(({ id }) => projectId(id))), services: new Set(idsIn(projects)) };
};

export const registeredWithout = (context: Context): RegisteredNames => {
  const { manifests, services } = readRecorded(context);
  const declared = declaredIn(manifests, loadPorts(context));
  const specs = [...services.map(({ spec }) => spec), ...declared.flatMap((one) => one.services)];
  const projects = declared.flatMap((one) => one.projects.map(({ id }) => id));
  return {
    projects: new Set([...projects, ...specs.map(({ project }) => project)]),
    services: new Set(specs.map(({ id }) => id)),
  };
};

const connectInTime = async ({ dataDir }: Context, patienceMs: number): Promise<Client | undefined> => {
  try {
    return await connectIfRunning(dataDir, patienceMs);
  } catch (thrown) {
    if (isSilent(thrown)) return undefined;
    throw thrown;
  }
};

const registeredNow = async (context: Context, patienceMs: number): Promise<RegisteredNames> => {
  const client = await connectInTime(context, patienceMs);
  if (client === undefined) return registeredWithout(context);
  try {
    return await registeredWith(client);
  } finally {
    client.close();
  }
};

/**
 * Resolves to the unregistered projects with leftovers. If a supervisor does not answer in time, it is not
 * asked: its records and manifests contain what is registered.
 */
export const projectsLeft = async (context: Context, patienceMs: number): Promise<readonly string[]> => {
  const registered = await registeredNow(context, patienceMs);
  const left = leftoversIn(context.layout, registered, { kinds: ['logs', 'state'] });
  return [...new Set(left.map(({ project }) => project))];
};
