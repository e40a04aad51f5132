// Runs a function until it ends, until Ctrl-C, or until the reader of the output closes its end.
import { isReaderGone } from '../os/errno.ts';
import type { World } from './process-ports.ts';

type Ends = Pick<World, 'onInterrupt' | 'readerGone'>;

/**
 * Returns a controller that aborts at Ctrl-C or when the reader is gone. `deafen` removes the listener for
 * Ctrl-C.
 */
export const enoughFor = ({
  onInterrupt,
  readerGone,
}: Ends): { readonly enough: AbortController; readonly deafen: () => void } => {
  const enough = new AbortController();
  const abort = (): void => enough.abort();
  readerGone.addEventListener('abort', abort, { once: true });
  return { enough, deafen: onInterrupt(abort) };
};

/** Runs `work` until it ends, with a signal that aborts at Ctrl-C or when the reader is gone. */
export const untilEnough = async (
  ends: Ends,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> => {
  const { enough, deafen } = enoughFor(ends);
  try {
    await work(enough.signal);
  } catch (error) {
    if (!isReaderGone(error)) throw error;
  } finally {
    deafen();
  }
};
