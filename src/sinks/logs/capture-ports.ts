// The interface of output capture into files, which extends the port `Capture`, and the messages about logs
// that cannot be written.
import type { Libc } from '../../os/libc/libc.ts';
import type { DescriptorBudget } from '../../os/descriptor-budget.ts';
import type { ServiceSpec } from '../../streams/domain/declared/spec.ts';
import { type ServiceId, shownId } from '../../streams/domain/ids.ts';
import { listedText } from '../../streams/domain/listed-text.ts';
import type { Capture } from '../../streams/domain/ports.ts';
import type { Layout } from '../../streams/wire/layout.ts';
import type { Service } from '../../streams/domain/service/service.ts';

/** Called with a warning for the operator, once per problem. */
export type LogError = (text: string) => void;

interface Refused {
  readonly id: ServiceId;
  readonly refusal: string;
}

/**
 * The maximum number of services that one message names. Of the remaining services it gives only the number.
 */
const MOST = 10;

/** Returns one sentence for each reason why logs cannot be written. */
export const refusedText = (refused: readonly Refused[]): readonly string[] =>
  [...new Set(refused.map(({ refusal }) => refusal))].map((reason) => {
    const names = refused.filter(({ refusal }) => refusal === reason).map(({ id }) => shownId(id));
    const logs = names.length === 1 ? 'the log' : 'the logs';
    return `${logs} of ${listedText(names, MOST)} cannot be written (${reason}): output is dropped until that is mended`;
  });

/** The part of a spec that is needed to write the log of a service. */
export type Logged = Pick<ServiceSpec, 'id' | 'logs'>;

/**
 * Returns the spec by which the log of a service is written after a change of the service. New sizes apply at
 * once; a new sink applies to the next run. During a rollout two specs are in use, so `logged` stays.
 */
export const withSizesOf = (logged: Logged, { spec, rollout }: Service): Logged =>
  rollout === undefined && spec.logs.sink === logged.logs.sink ? spec : logged;

/** Returns the path and the limits of the log of a service. */
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
  /**
   * Returns the limits of a log for services that declare none, and the limit of all logs together (0: no
   * limit).
   */
  readonly defaults: () => { maxBytes: number; maxFiles: number; totalMaxBytes?: number };
  /** Called with a message when a log cannot be written, and when it can be written again. */
  readonly logError?: LogError;
  /** Called with a message when rotated files were removed to keep the limit of all logs together. */
  readonly onRemoved?: LogError;
  /** The C library. If absent, output that is in no log yet is lost when this process is killed. */
  readonly libc?: Libc | undefined;
  readonly descriptorBudget?: DescriptorBudget;
}

export interface FileCapture extends Capture {
  /** Returns services that are not adopted yet and have output that was read but is in no log. */
  inHand(): ReadonlySet<ServiceId>;
  /** True if the FIFO holder of an earlier supervisor is alive: it holds unread output. */
  wasKept(): boolean;
  /** Returns services with output that is being read, or will be read as soon as that is possible. */
  reading(): readonly ServiceId[];
  /**
   * Takes over reading ends of FIFOs that the program before a re-exec has left open. Closes each of them
   * when this program itself reads the same FIFO.
   */
  inherit(ends: readonly number[]): void;
  /**
   * Call it when all services are adopted. Writes output that a dead supervisor had read for services that
   * were not adopted, and closes reading ends that are not needed.
   */
  finishAdoption(): void;
  /** Returns the descriptors from which this process reads FIFOs. */
  readingEnds(): readonly number[];
  /** Returns a sentence for each reason why logs cannot be written now. */
  troubles(): readonly string[];
  /** Creates files again that were deleted and that the next supervisor needs. */
  mend(): void;
  /** Call it when a service has changed. A removed service is dropped when no process prints for it. */
  follow(id: ServiceId, service: Service | undefined): void;
  /** Stops reading, and writes the output read so far. The next supervisor reads later output. */
  close(): Promise<void>;
  /** Like `close`, but does not write an unfinished line: the next supervisor can complete the line. */
  leave(): Promise<void>;
}
