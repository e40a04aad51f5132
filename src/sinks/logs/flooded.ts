// Streams that had a flood of output. Some time later they free the memory it took.
import type { Channel } from './fifo/channel.ts';

const AFTER_MS = 5_000;

export interface Flooded {
  note(channel: Channel): void;
  close(): void;
}

export const flooded = (): Flooded => {
  const channels = new Set<Channel>();
  let timer: NodeJS.Timeout | undefined;
  const rest = (): void => {
    timer = undefined;
    const over = [...channels];
    channels.clear();
    for (const channel of over) channel.rest();
  };
  return {
    note: (channel) => {
      channels.add(channel);
      timer ??= setTimeout(rest, AFTER_MS).unref();
    },
    close: () => clearTimeout(timer),
  };
};
