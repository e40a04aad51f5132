// The tail of `sup events` for the full-screen view: the last events, then new ones as they come.
import type { EventDocument } from '../../../streams/wire/documents/event-document.ts';
import { EventReader } from '../../read-events.ts';
import { MOST_HAPPENED } from './scene.ts';

interface EventPane {
  readonly signal: AbortSignal;
  readonly show: (events: readonly EventDocument[]) => void;
}

/** Settles once `signal` is aborted; rejects if the file cannot be read. */
export const followEvents = async (dataDir: string, { signal, show }: EventPane): Promise<void> => {
  const reader = await EventReader.open(dataDir);
  try {
    show((await reader.past()).slice(-MOST_HAPPENED));
    for await (const events of reader.follow(signal)) if (!signal.aborted) show(events);
  } finally {
    await reader.close();
  }
};
