// The names that `sup __complete` offers. They come from the running supervisor, or from the records if it
// does not answer quickly: on a busy machine a user would otherwise get no names.
import { connect } from '../../../client/client.ts';
import { isGone } from '../../../client/client-failure.ts';
import { idsIn } from '../../../client/live-model.ts';
import { LOOSE, projectId, projectOf, shownId, type ServiceId } from '../../../streams/domain/ids.ts';
import type { Context } from '../../context.ts';

/** The names of projects and services. */
export interface KnownNames {
  readonly projects: readonly string[];
  /** Names of services as `project/service`; a service without a project has only its own name. */
  readonly services: readonly string[];
}

/** How long the user waits for the supervisor's answer, ms. */
const ANSWER_MS = 300;
const NONE: KnownNames = { projects: [], services: [] };

/** Resolves to the names that were last recorded. */
const recordedNames = async (context: Context): Promise<KnownNames> => {
  const { readRecorded } = await import('../../../client/recorded.ts');
  const ids = readRecorded(context).services.map(({ spec }): ServiceId => spec.id);
  const projects = new Set(ids.map(projectOf).filter((id) => id !== LOOSE));
  return { projects: [...projects], services: ids.map(shownId) };
};

/** Resolves to the registered names; without names if no supervisor runs. */
export const knownNames = async (context: Context): Promise<KnownNames> => {
  try {
    const client = await connect(context.dataDir, { timeout: ANSWER_MS });
    const { projects } = await client.call('status', {}, { timeoutMs: ANSWER_MS });
    client.close();
    return {
      projects: projects.flatMap(({ id }) => (projectId(id) === LOOSE ? [] : [id])),
      services: idsIn(projects).map(shownId),
    };
  } catch (thrown) {
    return isGone(thrown) ? NONE : recordedNames(context).catch(() => NONE);
  }
};

/** Resolves to unregistered projects that still have files. Only `sup purge` needs them. */
export const namesLeft = async (words: readonly string[], context: Context): Promise<readonly string[]> => {
  if (!words.includes('purge')) return [];
  const { projectsLeft } = await import('../purge/registered-names.ts');
  return projectsLeft(context, ANSWER_MS).catch(() => []);
};
