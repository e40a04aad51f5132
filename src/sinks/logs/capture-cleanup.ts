// Delayed cleanup of output capture. A removed service is dropped when no process prints for it any more. Two
// checks in a row must find this, because a hook may start just when the service is removed, and the last
// lines of the hook are needed. After a burst of output, the memory that it needed is freed within 5 s.
// Rules: `docs/behaviour.md`, "Output", "The FIFO holder".
import type { OutputChannel } from './fifo/output-channel.ts';
import type { ServiceId } from '../../streams/domain/ids.ts';

const LOOK_MS = 1_000;

interface DepartedPorts {
  /** True if no process prints for the service and all its output is written. */
  readonly isSilent: (service: ServiceId) => boolean;
  readonly drop: (service: ServiceId) => void;
}

export class Departed {
  readonly #ports: DepartedPorts;
  /**
   * For each removed service: the result of the last check. After two silent checks the service is dropped.
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

  /** Call it if a removed service is declared again: then the service is not dropped. */
  isBack(service: ServiceId): void {
    this.#left.delete(service);
  }

  /**
   * Call it if a process will print for the service. The service is then dropped only after two more silent
   * checks.
   */
  expectOutput(service: ServiceId): void {
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
