// The calls of the library that only read. Without a supervisor, most of them return recorded data.
import type { Selection } from '../../streams/domain/command.ts';
import { ms } from '../../streams/domain/time.ts';
import type { StatusDocument } from '../../streams/wire/documents/documents.ts';
import type { Client } from '../client.ts';
import { type ClientFailure, isGone, isUnanswered, rethrown } from '../client-failure.ts';
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
import { waitFor } from '../wait/wait-for.ts';
import { optionsOf, selected } from './checked-input.ts';
import type { ConfigOptions, Sup } from './sup-interface.ts';

const statusOf =
  (place: ReadPlace) =>
  async (selection: Selection, { document: { code, message } }: ClientFailure): Promise<StatusDocument> => {
    const { recordedStatus } = await import('../manifests/recorded-status.ts');
    return recordedStatus(place, selection, code === 'ERR0205' ? `${code} ${message}` : undefined);
  };

/**
 * Resolves to the environment that services inherit. Without a supervisor, it is the environment that a
 * supervisor started by this process would pass on.
 */
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

const configOf = (place: ReadPlace, ask: Ask) => async (options?: ConfigOptions) => {
  const {
    manifest,
    profiles,
    files,
    project,
    origins = false,
  } = optionsOf(options, ...(['manifest', 'profiles', 'files', 'project', 'origins'] as const));
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

/** How the calls reach the supervisor and its records. */
interface QuestionPorts {
  readonly place: ReadPlace;
  readonly ask: Ask;
  /** Opens a separate connection. Resolves to `undefined` if no supervisor runs. `patience`: timeout, ms. */
  readonly open: (patience: number) => Promise<Client | undefined>;
}

interface Questions {
  readonly members: Pick<Sup, 'status' | 'inspect' | 'why' | 'wait' | 'config'>;
  /** Resolves to the last recorded status, with a warning if a supervisor runs but does not answer. */
  readonly recorded: (loss: ClientFailure) => Promise<StatusDocument>;
}

/**
 * Returns a function that makes the call, and converts each error that has an `ERR` code to a
 * `ClientFailure`.
 */
const failing =
  <A extends readonly unknown[], R>(call: (...given: A) => Promise<R>) =>
  async (...given: A): Promise<R> => {
    try {
      return await call(...given);
    } catch (thrown) {
      throw rethrown(thrown);
    }
  };

const inspectOf =
  ({ place, ask }: QuestionPorts): Sup['inspect'] =>
  async (selection, options) => {
    const wanted = selected(selection);
    const { windowMs } = optionsOf(options, 'windowMs');
    const length = windowMs === undefined ? undefined : ms(windowMs);
    return inspecting(place, ask, async (inspector) => {
      const { sampled, warnings } = await inspected(inspector, wanted, length);
      const { supervisor } = sampled;
      return { ...sampled, supervisor: { ...supervisor, warnings: [...supervisor.warnings, ...warnings] } };
    });
  };

/** Returns the calls that only read. */
export const questionsOn = (ports: QuestionPorts): Questions => {
  const { place, ask } = ports;
  const recorded = statusOf(place);
  const status: Sup['status'] = async (selection) => {
    const wanted = selected(selection);
    try {
      return await ask((client) => client.call('status', wanted));
    } catch (thrown) {
      if (!isUnanswered(thrown)) throw thrown;
      return recorded(wanted, thrown);
    }
  };
  const why: Sup['why'] = async (selection) => {
    const wanted = selected(selection);
    return inspecting(place, ask, async (inspector) =>
      explained(place, inspector, toExplain(wanted, await inspector.inspect(wanted))),
    );
  };
  const wait: Sup['wait'] = async (selection, options) => {
    const { for: goal = 'running', timeoutMs } = optionsOf(options, 'for', 'timeoutMs');
    return waitFor(ports, { goal, selection: selected(selection), timeout: timeoutMs });
  };
  return {
    members: {
      status: failing(status),
      inspect: failing(inspectOf(ports)),
      why: failing(why),
      wait: failing(wait),
      config: failing(configOf(place, ask)),
    },
    recorded: failing((loss) => recorded({}, loss)),
  };
};
