// The interface of output capture into files, beyond the port `Capture`, and its messages about logs that
// cannot be written.
import type { Libc } from '../../os/libc/libc.ts';
import type { DescriptorBudget } from '../../os/own-descriptors.ts';
import type { ServiceSpec } from '../../streams/domain/declared/spec.ts';
import { type ServiceId, shownId } from '../../streams/domain/ids.ts';
import { listedText } from '../../streams/domain/listed-text.ts';
import type { Capture } from '../../streams/domain/ports.ts';
import type { Layout } from '../../streams/wire/layout.ts';
import type { Service } from '../../streams/domain/service/service.ts';

/** Warns the operator, once per problem. */
export type OnTrouble = (text: string) => void;

interface Refused {
  readonly id: ServiceId;
  readonly refusal: string;
}

/** The number of services that one message names; it counts the others. */
const MOST = 10;

/** Returns one sentence for each reason why logs cannot be written. */
export const refusedText = (refused: readonly Refused[]): readonly string[] =>
  [...new Set(refused.map(({ refusal }) => refusal))].map((reason) => {
    const names = refused.filter(({ refusal }) => refusal === reason).map(({ id }) => shownId(id));
    const logs = names.length === 1 ? 'the log' : 'the logs';
    return `${logs} of ${listedText(names, MOST)} cannot be written (${reason}): output is dropped until that is mended`;
  });

/** What is needed to write the log of a service. */
export type Logged = Pick<ServiceSpec, 'id' | 'logs'>;

/**
 * Returns the spec for the log of a changed service. New sizes apply at once, another sink to the next run.
 * During a rollout, with two specs in use, nothing changes.
 */
export const withSizesOf = (logged: Logged, { spec, rollout }: Service): Logged =>
  rollout === undefined && spec.logs.sink === logged.logs.sink ? spec : logged;

/** Returns where the log of a service is, and its limits. */
export const rulesOf = (
  { id, logs }: Logged,
  layout: Layout,
  { maxBytes, maxFiles }: ReturnType<CapturePorts['defaults']>,
): Readonly<{ path: string; maxBytes: number; maxFiles: number }> => ({
  path: layout.log(id),
  maxBytes: logs.maxBytes ?? maxBytes,
  maxFiles: logs.maxFiles ?? maxFiles,
});

export interface CapturePorts {
  readonly dataDir: string;
  /** Returns the limits of a log for services that declare none, and of all logs together (0: none). */
  readonly defaults: () => { maxBytes: number; maxFiles: number; totalMaxBytes?: number };
  /** Called when a log cannot be written, and when it can be again. */
  readonly onTrouble?: OnTrouble;
  /** Called when rotated files were removed to keep the limit of all logs together. */
  readonly onRemoved?: OnTrouble;
  /** Without it, output that is in no log is lost if the process is killed. */
  readonly libc?: Libc | undefined;
  readonly descriptorBudget?: DescriptorBudget;
}

export interface FileCapture extends Capture {
  /** Returns services, not adopted yet, whose output the previous program had read but not written. */
  inHand(): ReadonlySet<ServiceId>;
  /** True if a FIFO holder of an earlier supervisor still holds unread output, of any service. */
  wasKept(): boolean;
  /** Returns services whose output is being read or will be as soon as possible. */
  reading(): readonly ServiceId[];
  /** Takes reading ends of FIFOs from the program before. Each is closed once its FIFO is read again. */
  inherit(ends: readonly number[]): void;
  /**
   * Call it when all services are adopted: writes output that a dead supervisor had read for other services,
   * and closes ends that are not needed.
   */
  settle(): void;
  /** Returns the descriptors from which this process reads FIFOs. */
  readingEnds(): readonly number[];
  /** Returns a sentence for each reason why logs cannot be written now. */
  troubles(): readonly string[];
  /** Creates files again that the next supervisor needs and that were deleted. */
  mend(): void;
  /** Follows changes of a service. A removed one is forgotten when no process prints for it. */
  follow(id: ServiceId, service: Service | undefined): void;
  /** Stops reading and writes what was read. Services print on, for the next supervisor to read. */
  close(): Promise<void>;
  /** Like `close`, but leaves an unfinished line for the next supervisor, which can complete it. */
  leave(): Promise<void>;
}
