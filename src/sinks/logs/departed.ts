// Services that have left, until nobody prints for them any more: what is held of their output is dropped then, or it would
// be held for ever, with a descriptor for each of their FIFOs. A hook may begin with the departure, and its last lines are
// asked for when it is over: so none is dropped before it was seen silent twice.
import type { ServiceId } from '../../streams/domain/ids.ts';

const LOOK_MS = 1_000;

interface DepartedPorts {
  /** Nobody prints, and all that was printed is read. */
  readonly isSilent: (service: ServiceId) => boolean;
  readonly drop: (service: ServiceId) => void;
}

export class Departed {
  readonly #ports: DepartedPorts;
  /** With what the last look has found: `silent` ones go with the next. */
  readonly #left = new Map<ServiceId, 'silent' | 'heard'>();
  #timer: NodeJS.Timeout | undefined;

  constructor(ports: DepartedPorts) {
    this.#ports = ports;
  }

  left(service: ServiceId): void {
    this.#left.set(service, 'heard');
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref();
  }

  /** It is declared again. */
  isBack(service: ServiceId): void {
    this.#left.delete(service);
  }

  /** Somebody begins to print for it. */
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
