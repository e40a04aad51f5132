// What output capture does some time later. A service that has left is dropped when nothing prints for it any
// more: its output state holds a descriptor for each FIFO. A hook may begin with the departure, and its last
// lines are needed when it ends, so a service is dropped only after it was silent twice. A stream that had a
// flood of output frees the memory it took.
import type { OutputChannel } from './fifo/output-channel.ts';
import type { ServiceId } from '../../streams/domain/ids.ts';

const LOOK_MS = 1_000;

interface DepartedPorts {
  /** True if nothing prints and all output is read. */
  readonly isSilent: (service: ServiceId) => boolean;
  readonly drop: (service: ServiceId) => void;
}

export class Departed {
  readonly #ports: DepartedPorts;
  /** The result of the last check: `silent` ones are dropped at the next. */
  readonly #left = new Map<ServiceId, 'silent' | 'heard'>();
  #timer: NodeJS.Timeout | undefined;

  constructor(ports: DepartedPorts) {
    this.#ports = ports;
  }

  left(service: ServiceId): void {
    this.#left.set(service, 'heard');
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref();
  }

  /** Keeps a service that is declared again. */
  isBack(service: ServiceId): void {
    this.#left.delete(service);
  }

  /** Notes that a process begins to print for it. */
  heard(service: ServiceId): void {
    if (this.#left.has(service)) this.#left.set(service, 'heard');
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    for (const [service, last] of this.#left) {
      const isSilent = this.#ports.isSilent(service);
      if (isSilent && last === 'silent') this.#drop(service);
      else this.#left.set(service, isSilent ? 'silent' : 'heard');
    }
    if (this.#left.size === 0) this.close();
  }

  #drop(service: ServiceId): void {
    this.#left.delete(service);
    this.#ports.drop(service);
  }
}

const AFTER_MS = 5_000;

export interface Flooded {
  note(channel: OutputChannel): void;
  close(): void;
}

export const flooded = (): Flooded => {
  const channels = new Set<OutputChannel>();
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
