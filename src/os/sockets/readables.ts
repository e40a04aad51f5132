// Reports when descriptors that Node cannot poll, such as unix datagram sockets, are readable. A pool thread
// waits for all of them (epoll(7)).
import { newBell } from '../libc/eventfd.ts';
import { O_CLOEXEC } from '../libc/descriptor-flags.ts';
import { cFunction, type Libc } from '../libc/libc.ts';

const EPOLL_CREATE = cFunction('int', 'epoll_create1', 'int');
const EPOLL_CTL = cFunction('int', 'epoll_ctl', 'int', 'int', 'int', 'pointer');
const EPOLL_WAIT = cFunction('int', 'epoll_wait', 'int', 'pointer', 'int', 'int');

const EPOLL_CTL_ADD = 1;
const EPOLL_CTL_DEL = 2;
const EPOLL_CTL_MOD = 3;
const EPOLLIN = 1;
const EPOLLONESHOT = 0x4000_0000;
const FOREVER = -1;
/** The layout of `struct epoll_event`, which is packed on x64 only. */
const [EVENT_BYTES, DATA_AT] = process.arch === 'x64' ? [12, 4] : [16, 8];
const MOST_EVENTS = 64;

const eventOf = (descriptor: number, events: number): Buffer => {
  const event = Buffer.alloc(EVENT_BYTES);
  event.writeUInt32LE(events, 0);
  event.writeInt32LE(descriptor, DATA_AT);
  return event;
};

/** Reports when descriptors are readable. A pool thread waits while any descriptor is watched. */
export class Readables {
  readonly #libc: Libc;
  readonly #epoll: number;
  readonly #bell: ReturnType<typeof newBell>;
  readonly #listeners = new Map<number, () => void>();
  readonly #events = Buffer.alloc(EVENT_BYTES * MOST_EVENTS);
  #isWaiting = false;

  constructor(libc: Libc, leaving: NodeJS.EventEmitter) {
    this.#libc = libc;
    this.#epoll = libc.call(EPOLL_CREATE, O_CLOEXEC);
    this.#bell = newBell(libc);
    const { descriptor } = this.#bell;
    libc.call(EPOLL_CTL, this.#epoll, EPOLL_CTL_ADD, descriptor, eventOf(descriptor, EPOLLIN));
    // Without this listener, Node could not exit while the pool thread waits.
    leaving.once('exit', this.#bell.ring);
  }

  /**
   * Calls `onReadable` once when the descriptor is readable, and once more after each call of `again`. Throws
   * `Refused`.
   */
  watch(descriptor: number, onReadable: () => void): void {
    const event = eventOf(descriptor, EPOLLIN | EPOLLONESHOT);
    this.#libc.call(EPOLL_CTL, this.#epoll, EPOLL_CTL_ADD, descriptor, event);
    this.#listeners.set(descriptor, onReadable);
    if (!this.#isWaiting) void this.#wait();
  }

  again(descriptor: number): void {
    const event = eventOf(descriptor, EPOLLIN | EPOLLONESHOT);
    if (this.#listeners.has(descriptor))
      this.#libc.ask(EPOLL_CTL, this.#epoll, EPOLL_CTL_MOD, descriptor, event);
  }

  /** Stops watching. Call it before the descriptor is closed. */
  forget(descriptor: number): void {
    if (!this.#listeners.delete(descriptor)) return;
    this.#libc.ask(EPOLL_CTL, this.#epoll, EPOLL_CTL_DEL, descriptor, eventOf(descriptor, 0));
    if (this.#listeners.size === 0) this.#bell.ring();
  }

  async #wait(): Promise<void> {
    this.#isWaiting = true;
    while (this.#listeners.size > 0) {
      const found = await this.#libc.askLater(EPOLL_WAIT, this.#epoll, this.#events, MOST_EVENTS, FOREVER);
      for (let at = 0; at < found; at += 1) {
        const descriptor = this.#events.readInt32LE(at * EVENT_BYTES + DATA_AT);
        if (descriptor === this.#bell.descriptor) this.#bell.hush();
        else this.#listeners.get(descriptor)?.();
      }
    }
    this.#isWaiting = false;
  }
}
