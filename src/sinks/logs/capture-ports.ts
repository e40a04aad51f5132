// The ports of output capture into files, what it offers beyond its own port, and its messages to the
// operator about failing logs.
import type { Libc } from '../../os/libc/libc.ts';
import type { DescriptorBudget } from '../../os/own-descriptors.ts';
import type { ServiceSpec } from '../../streams/domain/declared/spec.ts';
import { type ServiceId, shownId } from '../../streams/domain/ids.ts';
import { listedText } from '../../streams/domain/listed-text.ts';
import type { Capture } from '../../streams/domain/ports.ts';
import type { Service } from '../../streams/domain/service/service.ts';

/** Notifies the operator, once per problem. */
export type OnTrouble = (text: string) => void;

interface Refused {
  readonly id: ServiceId;
  readonly refusal: string;
}

/** Most names in one sentence. */
const MOST = 10;

/** A sentence for each reason why logs cannot be written. */
export const refusedText = (refused: readonly Refused[]): readonly string[] =>
  [...new Set(refused.map(({ refusal }) => refusal))].map((reason) => {
    const names = refused.filter(({ refusal }) => refusal === reason).map(({ id }) => shownId(id));
    const logs = names.length === 1 ? 'the log' : 'the logs';
    return `${logs} of ${listedText(names, MOST)} cannot be written (${reason}): output is dropped until that is mended`;
  });

/** What a log needs of its service's declaration. */
export type Logged = Pick<ServiceSpec, 'id' | 'logs'>;

/**
 * The declaration for the log. New sizes apply at once to the present run; another sink applies to the next
 * run, and a rollout has two declarations.
 */
export const withSizesOf = (logged: Logged, { spec, rollout }: Service): Logged =>
  rollout === undefined && spec.logs.sink === logged.logs.sink ? spec : logged;

export interface CapturePorts {
  readonly dataDir: string;
  /** `logs/max_bytes` and `logs/max_files` of the settings. */
  readonly defaults: () => { maxBytes: number; maxFiles: number };
  /** Called when a log cannot be written, and when it can again. */
  readonly onTrouble?: OnTrouble;
  /** Absent: output exists only in this process until it is written. */
  readonly libc?: Libc | undefined;
  readonly descriptorBudget?: DescriptorBudget;
}

export interface FileCapture extends Capture {
  /** Services with output that the previous program had read and that is not adopted yet. */
  inHand(): ReadonlySet<ServiceId>;
  /** True if an earlier supervisor's holder holds unread output: any service may have printed it. */
  wasKept(): boolean;
  /** Services with output that is read, or will be as soon as possible. */
  reading(): readonly ServiceId[];
  /** Writes what a dead supervisor had read of services that were not adopted. */
  settle(): void;
  /** The reading ends of all FIFOs. */
  readingEnds(): readonly number[];
  /** Which logs cannot be written: a sentence for each reason. */
  troubles(): readonly string[];
  /** Makes files again that the next supervisor needs, if they were removed. */
  mend(): void;
  /** Follows declared services; those that left are dropped once they are silent. */
  follow(id: ServiceId, service: Service | undefined): void;
  /** Stops reading and writes the rest. Children print on, and the supervisor that adopts them reads on. */
  close(): Promise<void>;
  /**
   * Like `close`, but leaves an unfinished line to the next reader: it may be all that its run ever prints.
   */
  leave(): Promise<void>;
}
