// The hidden command behind the completion scripts. A supervisor that does not answer at once has no names to offer.
import { LOOSE, projectId, serviceId, shownId } from '../../streams/domain/ids.ts';
import { connect } from '../client/client.ts';
import type { Context } from '../context.ts';
import { completionsOf, type Names } from './words.ts';

const ANSWER_MS = 300;

const namesOf = async ({ dataDir }: Context): Promise<Names> => {
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

/** `words` ends with the word under the cursor. */
export const complete = async (words: readonly string[], context: Context): Promise<void> => {
  const found = completionsOf(words, await namesOf(context));
  context.world.stdout.write(found.map((word) => `${word}\n`).join(''));
};
