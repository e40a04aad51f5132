// Unix datagram sockets, which Node does not have: opens one at a path, and reads what was sent with the
// sender's identity (unix(7), SCM_CREDENTIALS). Reports when one is readable: a pool thread waits for all of
// them (epoll(7)).
import { cFunction, type Libc } from './libc/libc.ts';
import { writeWord } from './libc/addon.ts';

const SOCKET = cFunction('int', 'socket', 'int', 'int', 'int');
const SETSOCKOPT = cFunction('int', 'setsockopt', 'int', 'int', 'int', 'pointer', 'uint');
const BIND = cFunction('int', 'bind', 'int', 'pointer', 'uint');
const CLOSE = cFunction('int', 'close', 'int');
const RECVMSG = cFunction('long', 'recvmsg', 'int', 'pointer', 'int');

const AF_UNIX = 1;
const SOCK_DGRAM = 2;
const SOCK_NONBLOCK = 0o4000;
const SOCK_CLOEXEC = 0o2000000;
const SOL_SOCKET = 1;
const SO_PASSCRED = 16;
const SCM_CREDENTIALS = 2;
const MSG_DONTWAIT = 0x40;
const MSG_TRUNC = 0x20;

const int = (value: number): Buffer => {
  const buffer = Buffer.alloc(4);
  buffer.writeInt32LE(value);
  return buffer;
};

export const closeDatagramSocket = (libc: Libc, descriptor: number): void => void libc.ask(CLOSE, descriptor);

/** Returns a new close-on-exec socket at the path, where no file may be. Throws `Refused`. */
export const openDatagramSocket = (libc: Libc, path: string): number => {
  const name = Buffer.from(`\0\0${path}\0`);
  name.writeUInt16LE(AF_UNIX, 0);
  const descriptor = libc.call(SOCKET, AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  try {
    libc.call(SETSOCKOPT, descriptor, SOL_SOCKET, SO_PASSCRED, int(1), 4);
    libc.call(BIND, descriptor, name, name.length);
    return descriptor;
  } catch (error) {
    closeDatagramSocket(libc, descriptor);
    throw error;
  }
};

export interface Datagram {
  readonly bytes: Buffer;
  /** The sender, by the kernel's word. The pid is 0 for a process that this one cannot see. */
  readonly pid: number;
  readonly uid: number;
}

/** Bytes of a datagram that are read; a longer one is dropped. */
const LONGEST_DATAGRAM = 4096;

/** Layout of `struct msghdr`, and of `struct cmsghdr` with `struct ucred`, with 64-bit pointers. */
const HEADER_BYTES = 56;
const WORD = 8;
const CONTROL_AT = 32;
const CONTROL_LENGTH_AT = 40;
const FLAGS_AT = 48;
const TYPE_AT = 12;
const PID_AT = 16;
const UID_AT = 20;
/** Room for the credentials only: the kernel closes descriptors that come with a datagram. */
const CONTROL_BYTES = 32;

/** Returns a function that reads the next datagram of a socket; `undefined` if there is none. */
export const datagramReader = (libc: Libc): ((descriptor: number) => Datagram | undefined) => {
  const message = Buffer.alloc(LONGEST_DATAGRAM);
  const control = Buffer.alloc(CONTROL_BYTES);
  const parts = Buffer.alloc(2 * WORD);
  const header = libc.hold(Buffer.alloc(HEADER_BYTES));
  writeWord(parts, 0, libc.addressOf(message));
  writeWord(parts, WORD, message.length);
  const next = (descriptor: number): Datagram | undefined => {
    header.fill(0);
    control.fill(0);
    writeWord(header, 2 * WORD, libc.addressOf(parts));
    writeWord(header, 3 * WORD, 1);
    writeWord(header, CONTROL_AT, libc.addressOf(control));
    writeWord(header, CONTROL_LENGTH_AT, control.length);
    const { value } = libc.ask(RECVMSG, descriptor, header, MSG_DONTWAIT);
    if (value === -1) return undefined;
    const isCut = (header.readUInt32LE(FLAGS_AT) & MSG_TRUNC) !== 0;
    const isKnown = control.readInt32LE(TYPE_AT) === SCM_CREDENTIALS;
    return {
      bytes: Buffer.from(message.subarray(0, isCut ? 0 : value)),
      pid: isKnown ? control.readInt32LE(PID_AT) : 0,
      uid: control.readUInt32LE(UID_AT),
    };
  };
  return next;
};

const EPOLL_CREATE = cFunction('int', 'epoll_create1', 'int');
const EPOLL_CTL = cFunction('int', 'epoll_ctl', 'int', 'int', 'int', 'pointer');
const EPOLL_WAIT = cFunction('int', 'epoll_wait', 'int', 'pointer', 'int', 'int');
const EVENTFD = cFunction('int', 'eventfd', 'uint', 'int');
const READ = cFunction('long', 'read', 'int', 'pointer', 'ulong');
const WRITE = cFunction('long', 'write', 'int', 'pointer', 'ulong');

const EPOLL_CLOEXEC = 0o2000000;
const EPOLL_CTL_ADD = 1;
const EPOLL_CTL_DEL = 2;
const EPOLL_CTL_MOD = 3;
const EPOLLIN = 1;
const EPOLLONESHOT = 0x4000_0000;
const EFD_CLOEXEC_NONBLOCK = 0o2004000;
const FOREVER = -1;
/** `struct epoll_event` is packed on x64 only. */
const [EVENT_BYTES, DATA_AT] = process.arch === 'x64' ? [12, 4] : [16, 8];
const MOST_EVENTS = 64;

const eventOf = (descriptor: number, events: number): Buffer => {
  const event = Buffer.alloc(EVENT_BYTES);
  event.writeUInt32LE(events, 0);
  event.writeInt32LE(descriptor, DATA_AT);
  return event;
};

/** Reports when descriptors are readable. A pool thread waits as long as there is one. */
export class Readables {
  readonly #libc: Libc;
  readonly #epoll: number;
  readonly #bell: number;
  readonly #listeners = new Map<number, () => void>();
  readonly #events = Buffer.alloc(EVENT_BYTES * MOST_EVENTS);
  #isWaiting = false;

  constructor(libc: Libc, leaving: NodeJS.EventEmitter) {
    this.#libc = libc;
    this.#epoll = libc.call(EPOLL_CREATE, EPOLL_CLOEXEC);
    this.#bell = libc.call(EVENTFD, 0, EFD_CLOEXEC_NONBLOCK);
    libc.call(EPOLL_CTL, this.#epoll, EPOLL_CTL_ADD, this.#bell, eventOf(this.#bell, EPOLLIN));
    // Without this, Node could not exit while one of its threads waits.
    leaving.once('exit', () => this.#ring());
  }

  /** Calls `onReadable` once, when the descriptor is readable; again after each `again`. Throws `Refused`. */
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

  /** Call it before the descriptor is closed. */
  forget(descriptor: number): void {
    if (!this.#listeners.delete(descriptor)) return;
    this.#libc.ask(EPOLL_CTL, this.#epoll, EPOLL_CTL_DEL, descriptor, eventOf(descriptor, 0));
    if (this.#listeners.size === 0) this.#ring();
  }

  #ring(): void {
    const one = Buffer.alloc(WORD);
    one.writeUInt8(1);
    this.#libc.ask(WRITE, this.#bell, one, one.length);
  }

  async #wait(): Promise<void> {
    this.#isWaiting = true;
    while (this.#listeners.size > 0) {
      const found = await this.#libc.askLater(EPOLL_WAIT, this.#epoll, this.#events, MOST_EVENTS, FOREVER);
      for (let at = 0; at < found; at += 1) {
        const descriptor = this.#events.readInt32LE(at * EVENT_BYTES + DATA_AT);
        if (descriptor === this.#bell) this.#libc.ask(READ, this.#bell, Buffer.alloc(WORD), WORD);
        else this.#listeners.get(descriptor)?.();
      }
    }
    this.#isWaiting = false;
  }
}
