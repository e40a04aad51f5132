// Reads everything that is known of services: from the supervisor, or from the records if it does not answer.
import type { Selection } from '../streams/domain/command.ts';
import type { Instant } from '../streams/domain/time.ts';
import type { InspectDocument } from '../streams/wire/documents/documents.ts';
import type { SamplesAnswer } from '../streams/wire/protocol.ts';
import type { Client } from '../client/client.ts';
import { type ClientFailure, isSilent, isUnanswered } from '../client/client-failure.ts';
import { connectIfRunning } from '../client/find-supervisor.ts';
import type { Context } from './context.ts';

/** Timeout for the supervisor's greeting, ms; then the records are shown. */
const GREETING_MS = 800;
/** Timeout for an answer of the supervisor, ms; it is long for answers about thousands of services. */
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
  readonly close: () => void;
}

const asked = (client: Client): Inspector => ({
  supervised: true,
  inspect: (selection) => client.call('inspect', selection, { timeoutMs: ANSWER_MS }),
  samples: (selection, _document, since) => client.call('samples', { selection, since }),
  close: () => client.close(),
});

const recorded = (context: Context, mute: ClientFailure | undefined): Inspector => {
  const why = mute === undefined ? undefined : `${mute.document.code} ${mute.document.message}`;
  const offline = import('./offline/offline-inspect.ts');
  return {
    supervised: false,
    inspect: async (selection) => (await offline).offlineInspect(context, selection, why),
    samples: async (_selection, document) => (await offline).offlineSamples(context, document),
    close: () => undefined,
  };
};

const openInspector = async (context: Context): Promise<Inspector> => {
  try {
    const client = await connectIfRunning(context.dataDir, GREETING_MS);
    return client === undefined ? recorded(context, undefined) : asked(client);
  } catch (thrown) {
    if (!isSilent(thrown)) throw thrown;
    return recorded(context, thrown);
  }
};

/** Calls `look` with the supervisor, or, if that does not answer, with the records. */
export const inspecting = async <R>(
  context: Context,
  look: (inspector: Inspector) => Promise<R>,
): Promise<R> => {
  const inspector = await openInspector(context);
  try {
    return await look(inspector);
  } catch (thrown) {
    if (!isUnanswered(thrown)) throw thrown;
    return await look(recorded(context, isSilent(thrown) ? thrown : undefined));
  } finally {
    inspector.close();
  }
};
