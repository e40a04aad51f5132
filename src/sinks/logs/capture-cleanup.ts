// Cleanup that output capture does some time later.
// A removed service is dropped when no process prints for it any more; until then its output state keeps a
// descriptor per FIFO. A hook may start when the service is removed, and its last lines are needed when it
// ends. So a service is dropped only if two checks in a row find it silent.
// A stream that had a flood of output frees the memory that it took, 5 s later.
import type { OutputChannel } from './fifo/output-channel.ts';
import type { ServiceId } from '../../streams/domain/ids.ts';

const LOOK_MS = 1_000;

interface DepartedPorts {
  /** True if no process prints for the service and all its output is read and written. */
  readonly isSilent: (service: ServiceId) => boolean;
  readonly drop: (service: ServiceId) => void;
}

export class Departed {
  readonly #ports: DepartedPorts;
  /**
   * Result of the last check, by removed service. A `silent` service is dropped if the next check finds it
   * silent too.
   */
  readonly #left = new Map<ServiceId, 'silent' | 'heard'>();
  #timer: NodeJS.Timeout | undefined;

  constructor(ports: DepartedPorts) {
    this.#ports = ports;
  }

  left(service: ServiceId): void {
    this.#left.set(service, 'heard');
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref();
  }

  /** Cancels the checks of a service that was removed and is declared again: it is not dropped. */
  isBack(service: ServiceId): void {
    this.#left.delete(service);
  }

  /**
   * Call it when a process will print for the service: the service is then kept for at least two more checks.
   */
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
