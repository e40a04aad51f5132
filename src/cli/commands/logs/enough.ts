// For how long a command follows: until Ctrl-C, or until nobody reads on.
import { errnoOf } from '../../../os/errno.ts';
import type { World } from '../../world.ts';

const isReaderGone = (error: unknown): boolean => errnoOf(error) === 'EPIPE';

/** Does the work, whose signal is aborted when it has gone on for long enough. */
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
