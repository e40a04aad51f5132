// What the capture of output into files needs, and what it does beyond its port.
import type { Headroom } from '../../os/files/headroom.ts';
import type { Libc } from '../../os/libc.ts';
import type { ServiceId } from '../../streams/domain/ids.ts';
import type { Capture } from '../../streams/domain/ports.ts';
import type { OnTrouble } from './trouble.ts';

export interface CapturePorts {
  readonly dataDir: string;
  /** `logs/max_bytes` and `logs/max_files` of the settings. */
  readonly defaults: () => { maxBytes: number; maxFiles: number };
  /** Where to say that a log cannot be written, or that it can again. */
  readonly onTrouble?: OnTrouble;
  /** Absent: output is in this process alone until it is written. */
  readonly libc?: Libc | undefined;
  readonly headroom?: Headroom;
}

export interface FileCapture extends Capture {
  /** Whether a dead supervisor had output of this service in hand. */
  hasLeft(service: ServiceId): boolean;
  /** Sees to what a dead supervisor had in hand of services that nobody has adopted. */
  settle(): void;
  /** The reading ends of all FIFOs. */
  readingEnds(): readonly number[];
  /** Makes again what the next supervisor needs, where it was removed. */
  mend(): void;
  /** Stops reading, writes what is left. Children write on, and whoever adopts them reads on. */
  close(): Promise<void>;
}
