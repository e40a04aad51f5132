// Wakes a pool thread that waits for descriptors. To be woken, the thread waits also for an eventfd(2), which
// this file makes readable.
import { O_CLOEXEC, O_NONBLOCK } from './descriptor-flags.ts';
import { cFunction, type Libc } from './libc.ts';

const EVENTFD = cFunction('int', 'eventfd', 'uint', 'int');
const READ = cFunction('long', 'read', 'int', 'pointer', 'ulong');
const WRITE = cFunction('long', 'write', 'int', 'pointer', 'ulong');
const COUNT_BYTES = 8;

interface Bell {
  /** The descriptor to wait for. `ring` makes it readable, and `hush` makes it unreadable again. */
  readonly descriptor: number;
  readonly ring: () => void;
  readonly hush: () => void;
}

/** Returns a new eventfd, and the functions to make it readable and unreadable. Throws `Refused`. */
export const newBell = (libc: Libc): Bell => {
  const descriptor = libc.call(EVENTFD, 0, O_CLOEXEC | O_NONBLOCK);
  const count = Buffer.alloc(COUNT_BYTES);
  return {
    descriptor,
    ring: () => {
      count.fill(0).writeUInt8(1);
      libc.ask(WRITE, descriptor, count, COUNT_BYTES);
    },
    hush: () => void libc.ask(READ, descriptor, count, COUNT_BYTES),
  };
};
