// The questions of the library. Without a supervisor the records answer most of them.
import type { Selection } from '../../streams/domain/command.ts';
import { ms } from '../../streams/domain/time.ts';
import { Failure } from '../../streams/views/errors/command-failure.ts';
import type { StatusDocument } from '../../streams/wire/documents/documents.ts';
import { ClientFailure, isGone, isUnanswered } from '../client-failure.ts';
import { explained, toExplain } from '../inspect/explain.ts';
import { type Ask, inspecting } from '../inspect/inspector.ts';
import { inspected } from '../inspect/process-usage.ts';
import {
  type ReadPlace,
  registeredPath,
  resolvedPath,
  supervisorEnvironment,
  whichManifest,
} from '../manifests/manifest-paths.ts';
import { selected } from './command-calls.ts';
import type { ConfigOptions, Sup } from './sup-interface.ts';

/** Throws what a program may get: a `ClientFailure` for an error of the catalogue. */
const rethrow = (thrown: unknown): never => {
  throw thrown instanceof Failure ? new ClientFailure(thrown.document) : thrown;
};

const statusOf =
  (place: ReadPlace) =>
  async (selection: Selection, { document: { code, message } }: ClientFailure): Promise<StatusDocument> => {
    const { recordedStatus } = await import('../manifests/recorded-status.ts');
    return recordedStatus(place, selection, code === 'ERR0205' ? `${code} ${message}` : undefined);
  };

/** Resolves to the variables that services inherit, also from a supervisor that would be started here. */
const environmentOf = async (
  { dataDir, world }: ReadPlace,
  ask: Ask,
): Promise<Readonly<Record<string, string>>> => {
  try {
    return await ask((client) => client.call('environment', {}));
  } catch (thrown) {
    if (!isGone(thrown)) throw thrown;
    return supervisorEnvironment(world.environment, dataDir);
  }
};

const configOf =
  (place: ReadPlace, ask: Ask) =>
  async ({ manifest, profiles, files, project, origins = false }: ConfigOptions) => {
    const { directory } = place.world;
    const { resolvedConfig } = await import('../manifests/resolved-config.ts');
    const config = resolvedConfig(place, {
      path: registeredPath(whichManifest({ config: manifest, directory }), place),
      asked: {
        ...(profiles && { profiles }),
        ...(files && { files: files.map((file) => resolvedPath(file, directory)) }),
      },
      ...{ project, origin: origins, showValues: false },
      environment: await environmentOf(place, ask),
    });
    return config.document;
  };

interface Questions {
  readonly members: Pick<Sup, 'status' | 'inspect' | 'why' | 'config'>;
  /** Resolves to what was last recorded; a warning in it says why it is not the present status. */
  readonly recorded: (loss: ClientFailure) => Promise<StatusDocument>;
}

/** Returns the questions. `ask`: puts one to the supervisor. */
export const questionsOn = (place: ReadPlace, ask: Ask): Questions => {
  const recorded = statusOf(place);
  const config = configOf(place, ask);
  const status: Sup['status'] = async (selection = {}) => {
    const wanted = selected(selection);
    try {
      return await ask((client) => client.call('status', wanted));
    } catch (thrown) {
      return isUnanswered(thrown) ? recorded(wanted, thrown) : rethrow(thrown);
    }
  };
  const inspect: Sup['inspect'] = (selection = {}, { windowMs } = {}) =>
    inspecting(place, ask, async (inspector) => {
      const length = windowMs === undefined ? undefined : ms(windowMs);
      const { sampled, warnings } = await inspected(inspector, selected(selection), length);
      const { supervisor } = sampled;
      return { ...sampled, supervisor: { ...supervisor, warnings: [...supervisor.warnings, ...warnings] } };
    });
  const why: Sup['why'] = (selection = {}) =>
    inspecting(place, ask, async (inspector) => {
      const wanted = selected(selection);
      const services = toExplain(wanted, await inspector.inspect(wanted));
      return explained(place, inspector, services);
    });
  return {
    members: {
      status: (selection) => status(selection).catch(rethrow),
      inspect: (selection, options) => inspect(selection, options).catch(rethrow),
      why: (selection) => why(selection).catch(rethrow),
      config: (options = {}) => config(options).catch(rethrow),
    },
    recorded: (loss) => recorded({}, loss),
  };
};
