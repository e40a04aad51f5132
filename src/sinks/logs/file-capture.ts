// What the capture of output into files needs, and what it does beyond its port.
import type { Headroom } from '../../os/files/headroom.ts';
import type { Libc } from '../../os/libc.ts';
import type { ServiceId } from '../../streams/domain/ids.ts';
import type { Capture } from '../../streams/domain/ports.ts';
import type { ServiceSpec } from '../../streams/domain/declared/spec.ts';
import type { Service } from '../../streams/domain/service/service.ts';
import type { OnTrouble } from './trouble.ts';

/** What the log of a service has to know of its declaration. */
export type Logged = Pick<ServiceSpec, 'id' | 'logs'>;

/** Sizes hold at once for the run that is there; another sink is for the next run, and a rollout has two declarations. */
export const withSizesOf = (logged: Logged, { spec, rollout }: Service): Logged =>
  rollout === undefined && spec.logs.sink === logged.logs.sink ? spec : logged;

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
  /** Of whose output the program before this one had some in hand, and nobody has adopted it yet. */
  inHand(): ReadonlySet<ServiceId>;
  /** Whether a keeper of a supervisor before this one holds what nobody has read: anybody may have printed it. */
  wasKept(): boolean;
  /** Whose output is read, or is to be as soon as it can be. */
  reading(): readonly ServiceId[];
  /** Sees to what a dead supervisor had in hand of services that nobody has adopted. */
  settle(): void;
  /** The reading ends of all FIFOs. */
  readingEnds(): readonly number[];
  /** Whose log cannot be written, and why: a sentence for each reason. */
  troubles(): readonly string[];
  /** Makes again what the next supervisor needs, where it was removed. */
  mend(): void;
  /** Who is declared, and who has left: nothing is held of those once they are silent. */
  follow(id: ServiceId, service: Service | undefined): void;
  /** Stops reading, writes what is left. Children write on, and whoever adopts them reads on. */
  close(): Promise<void>;
  /** The same, but an unfinished line is left to whoever reads on: it may be all that its run ever says. */
  leave(): Promise<void>;
}
