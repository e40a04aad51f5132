// Follows until Ctrl-C or until the reader closes the output.
import { errnoOf } from '../../../os/errno.ts';
import type { World } from '../../world.ts';

const isReaderGone = (error: unknown): boolean => errnoOf(error) === 'EPIPE';

/** Runs `work`; its signal aborts at Ctrl-C or when the reader is gone. */
export const untilEnough = async (
  { onInterrupt, readerGone }: Pick<World, 'onInterrupt' | 'readerGone'>,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> => {
  const enough = new AbortController();
  const deafen = onInterrupt(() => enough.abort());
  readerGone.addEventListener('abort', () => enough.abort(), { once: true });
  try {
    await work(enough.signal);
  } catch (error) {
    if (!isReaderGone(error)) throw error;
  } finally {
    deafen();
  }
};
