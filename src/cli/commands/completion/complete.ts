// The hidden command for completion scripts. It offers no names if the supervisor is slow to answer.
import { LOOSE, projectId, serviceId, shownId } from '../../../streams/domain/ids.ts';
import { connect } from '../../client/client.ts';
import type { Context } from '../../context.ts';
import { completionsOf, type Names } from './words.ts';

const ANSWER_MS = 300;

const knownNames = async ({ dataDir }: Context): Promise<Omit<Names, 'left'>> => {
  try {
    const client = await connect(dataDir, { timeout: ANSWER_MS });
    const { projects } = await client.call('status', {}, { timeoutMs: ANSWER_MS });
    client.close();
    return {
      projects: projects.flatMap(({ id }) => (projectId(id) === LOOSE ? [] : [id])),
      services: projects.flatMap(({ id, services }) =>
        services.map(({ name }) => shownId(serviceId(projectId(id), name))),
      ),
    };
  } catch {
    return { projects: [], services: [] };
  }
};

/** Reads them only for `sup purge`. */
const namesLeft = async (words: readonly string[], context: Context): Promise<readonly string[]> => {
  if (!words.includes('purge')) return [];
  const { projectsLeft } = await import('./left.ts');
  return projectsLeft(context, ANSWER_MS).catch(() => []);
};

/** `words` ends with the word under the cursor. */
export const complete = async (words: readonly string[], context: Context): Promise<void> => {
  const names = { ...(await knownNames(context)), left: await namesLeft(words, context) };
  const found = completionsOf(words, names);
  context.world.stdout.write(found.map((word) => `${word}\n`).join(''));
};
