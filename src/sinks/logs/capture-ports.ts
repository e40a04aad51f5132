// The interface of output capture into files: its ports, its methods beyond the port `Capture`, and its
// messages about logs that cannot be written.
import type { Libc } from '../../os/libc/libc.ts';
import type { DescriptorBudget } from '../../os/own-descriptors.ts';
import type { ServiceSpec } from '../../streams/domain/declared/spec.ts';
import { type ServiceId, shownId } from '../../streams/domain/ids.ts';
import { listedText } from '../../streams/domain/listed-text.ts';
import type { Capture } from '../../streams/domain/ports.ts';
import type { Service } from '../../streams/domain/service/service.ts';

/** Warns the operator. Called once per problem. */
export type OnTrouble = (text: string) => void;

interface Refused {
  readonly id: ServiceId;
  readonly refusal: string;
}

/** Maximum number of services that one message names; it only counts the others. */
const MOST = 10;

/** Returns one sentence for each reason why logs cannot be written. */
export const refusedText = (refused: readonly Refused[]): readonly string[] =>
  [...new Set(refused.map(({ refusal }) => refusal))].map((reason) => {
    const names = refused.filter(({ refusal }) => refusal === reason).map(({ id }) => shownId(id));
    const logs = names.length === 1 ? 'the log' : 'the logs';
    return `${logs} of ${listedText(names, MOST)} cannot be written (${reason}): output is dropped until that is mended`;
  });

/** The parts of a service's spec that are needed to write its log. */
export type Logged = Pick<ServiceSpec, 'id' | 'logs'>;

/**
 * Returns the spec to use for the log after a service has changed. New sizes apply to the present run at
 * once. Another sink applies only to the next run. During a rollout nothing changes, because two specs are in
 * use.
 */
export const withSizesOf = (logged: Logged, { spec, rollout }: Service): Logged =>
  rollout === undefined && spec.logs.sink === logged.logs.sink ? spec : logged;

export interface CapturePorts {
  readonly dataDir: string;
  /** Returns the limits of a log (`logs/max_bytes`, `logs/max_files`) for services that declare none. */
  readonly defaults: () => { maxBytes: number; maxFiles: number };
  /** Called when a log cannot be written, and when it can be written again. */
  readonly onTrouble?: OnTrouble;
  /**
   * Absent: output that is in no log yet exists only in this process and is lost if the process is killed.
   */
  readonly libc?: Libc | undefined;
  readonly descriptorBudget?: DescriptorBudget;
}

export interface FileCapture extends Capture {
  /**
   * Returns the services that are not adopted yet and whose output the previous program had read but not
   * written.
   */
  inHand(): ReadonlySet<ServiceId>;
  /**
   * True if a FIFO holder of an earlier supervisor still holds unread output; any service may have printed
   * it.
   */
  wasKept(): boolean;
  /** Returns the services with output that is being read or will be read as soon as possible. */
  reading(): readonly ServiceId[];
  /** Writes output that a dead supervisor had read but not written, for services that were not adopted. */
  settle(): void;
  /** Returns the descriptors from which this process reads FIFOs. */
  readingEnds(): readonly number[];
  /** Returns a sentence for each reason why logs cannot be written at present. */
  troubles(): readonly string[];
  /** If files that the next supervisor needs were deleted, creates them again. */
  mend(): void;
  /**
   * Tells capture that a service has changed. A removed service (`undefined`) is forgotten when no process
   * prints for it any more.
   */
  follow(id: ServiceId, service: Service | undefined): void;
  /**
   * Stops reading and writes what was read. Running services can print on; the supervisor that adopts them
   * continues to read.
   */
  close(): Promise<void>;
  /** Like `close`, but leaves an unfinished line for the next supervisor, which can still complete it. */
  leave(): Promise<void>;
}
