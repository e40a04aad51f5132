// Reads everything that is known of services: from the supervisor, or from the records if no supervisor
// answers.
import type { Selection } from '../../streams/domain/command.ts';
import type { Instant } from '../../streams/domain/time.ts';
import type { InspectDocument } from '../../streams/wire/documents/documents.ts';
import type { SamplesAnswer } from '../../streams/wire/protocol.ts';
import type { Client } from '../client.ts';
import { type ClientFailure, failedWith, isSilent, isUnanswered } from '../client-failure.ts';
import { connectIfRunning } from '../wait-for-supervisor.ts';
import type { ReadPlace } from '../manifests/manifest-paths.ts';

/** Timeout for the supervisor's greeting, ms. If no greeting arrives in this time, the records are shown. */
const GREETING_MS = 800;
/** Timeout for the supervisor's answer, ms. It is long for answers about thousands of services. */
const ANSWER_MS = 5_000;

export interface Inspector {
  /** True if a supervisor answers; false if the data comes from the records. */
  readonly supervised: boolean;
  readonly inspect: (selection: Selection) => Promise<InspectDocument>;
  readonly samples: (
    selection: Selection,
    document: InspectDocument,
    since: Instant,
  ) => Promise<SamplesAnswer>;
}

/**
 * Calls `question` with a client and resolves to its result. Rejects with ERR0205 or ERR0206 if no supervisor
 * answers.
 */
export type Ask = <R>(question: (client: Client) => Promise<R>) => Promise<R>;

/** Returns a function that asks the supervisor, with a new connection for each question. */
export const askingOnce =
  (dataDir: string): Ask =>
  async (question) => {
    const client = await connectIfRunning(dataDir, GREETING_MS);
    if (client === undefined) throw failedWith({ code: 'ERR0206', dataDir });
    return question(client).finally(() => client.close());
  };

const asked = (client: Client): Inspector => ({
  supervised: true,
  inspect: (selection) => client.call('inspect', selection, { timeoutMs: ANSWER_MS }),
  samples: (selection, _document, since) => client.call('samples', { selection, since }),
});

const recorded = (place: ReadPlace, mute: ClientFailure | undefined): Inspector => {
  const why = mute === undefined ? undefined : `${mute.document.code} ${mute.document.message}`;
  const offline = import('./offline-inspect.ts');
  return {
    supervised: false,
    inspect: async (selection) => (await offline).offlineInspect(place, selection, why),
    samples: async (_selection, document) => (await offline).offlineSamples(place, document),
  };
};

/** Calls `look` with an inspector of the supervisor, or of the records if no supervisor answers. */
export const inspecting = async <R>(
  place: ReadPlace,
  ask: Ask,
  look: (inspector: Inspector) => Promise<R>,
): Promise<R> => {
  try {
    return await ask((client) => look(asked(client)));
  } catch (thrown) {
    if (!isUnanswered(thrown)) throw thrown;
    return look(recorded(place, isSilent(thrown) ? thrown : undefined));
  }
};
