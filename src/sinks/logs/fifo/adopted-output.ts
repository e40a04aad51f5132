// Continues to read the FIFOs of runs, hooks and children that an earlier supervisor was reading. If a FIFO
// cannot be opened, this is tried again, because the service would block when its FIFO is full. For a run
// that outlived its supervisor, the last lines are also read from the log.
// Rules: `docs/behaviour.md`, "Output", "A FIFO that was removed"; `docs/behaviour.md`, "Output", "Too few
// descriptors"; `docs/behaviour.md`, "Health checks", "A check by log asks nothing".
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  readlinkSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { refusalText } from '../../../os/errno.ts';
import { openAtOnce } from '../../../os/files/own-file.ts';
import { closeDescriptor } from '../../../os/own-descriptors.ts';
import { momentOf } from '../../../os/proc/machine-facts.ts';
import type { LogError } from '../capture-ports.ts';
import type { End } from './fifo-ends.ts';
import type { OutputChannel } from './output-channel.ts';
import { channelOf, childFifos, FIFO_PAIRS, type OwnName, RUN_STREAMS } from './output-names.ts';
import { awaitedIn, type ServiceLog } from '../service-log.ts';
import type { ServiceSpec } from '../../../streams/domain/declared/spec.ts';
import { type ProjectId, projectOf, type ServiceId } from '../../../streams/domain/ids.ts';
import type { ChildOutput, Living } from '../../../streams/domain/ports.ts';
import type { ProcessRef } from '../../../streams/domain/service/process.ts';
import type { Layout } from '../../../streams/wire/layout.ts';
import { STAMP_LENGTH, stampOf } from '../../../streams/wire/log-line.ts';

/** How many bytes are read from the end of a log: forty lines are rarely longer. */
const TAIL_BYTES = 64 * 1024;
/** How many bytes are read if the health check of the service waits for a line of the run. */
const AWAITED_BYTES = 1024 * 1024;
/**
 * A log line may be older than the start of a process by at most this, ms, and still be output of this
 * process, because start times are inexact.
 */
const TOLERANCE_MS = 50;

/**
 * Returns the files that are open as standard output or error of the processes. The value of each file is a
 * path that opens it.
 */
const outputsOf = (living: readonly Living[]): ReadonlyMap<string | undefined, string> =>
  new Map(
    living
      .flatMap(({ process: { pid } }) => [1, 2].map((descriptor) => `/proc/${pid}/fd/${descriptor}`))
      .map((path) => [target(path), path]),
  );

const target = (path: string): string | undefined => {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
};

/** Returns a time shortly before the start of the process, in the format of log lines. */
const bornAt = ({ startTicks }: ProcessRef): string => stampOf(new Date(momentOf(startTicks) - TOLERANCE_MS));

/** Returns the last log lines since the start of the process, with their times. */
const lastLinesOf = (process: ProcessRef, log: string, most: number): Buffer => {
  const tail = tailOf(log, most);
  const born = bornAt(process);
  const lines = tail.split('\n').slice(0, -1);
  const own = lines.filter(
    (line) => line.slice(0, STAMP_LENGTH) >= born && OWN.test(line.slice(STAMP_LENGTH)),
  );
  return Buffer.from(own.map((line) => `${line}\n`).join(''), 'latin1');
};

const OWN = /^ (stdout|stderr)\+? /;

const tailOf = (log: string, most: number): string => {
  try {
    const descriptor = openAtOnce(log, constants.O_RDONLY);
    try {
      const { size } = fstatSync(descriptor);
      const bytes = Buffer.alloc(Math.min(size, most));
      return bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, bytes.length, size - bytes.length));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return '';
  }
};

const READ_AGAIN_MS = 1_000;

/**
 * The reading ends that the program before a re-exec handed over. Each is closed as soon as this program has
 * opened a reading end of the same FIFO. If all were kept until the last FIFO is read, twice as many
 * descriptors would be open.
 */
class HandedEnds {
  readonly #ends = new Map<End['inode'], End>();

  take(descriptors: readonly number[]): void {
    for (const descriptor of descriptors) {
      const end = fifoEnd(descriptor);
      if (end !== undefined) this.#ends.set(end.inode, end);
    }
  }

  /** Returns the handed-over reading end of the FIFO at this path, if there is one. */
  of(path: string): End | undefined {
    if (this.#ends.size === 0) return undefined;
    const found = statSync(path, { throwIfNoEntry: false });
    return found && this.#ends.get(found.ino);
  }

  close({ inode, descriptor }: End): void {
    this.#ends.delete(inode);
    closeDescriptor(descriptor);
  }

  closeAll(): void {
    for (const end of this.#ends.values()) this.close(end);
  }
}

/** Returns the descriptor together with the inode of its FIFO; `undefined` if it is not a FIFO. */
const fifoEnd = (descriptor: number): End | undefined => {
  try {
    const found = fstatSync(descriptor);
    return found.isFIFO() ? { descriptor, inode: found.ino } : undefined;
  } catch {
    return undefined;
  }
};

interface ReadAttempt {
  readonly fifo: string;
  readonly id: ServiceId;
  readonly logError: LogError;
  readonly handed: HandedEnds;
  /** Throws if too few descriptors are free. */
  readonly checkRoom: () => void;
  /** Called if the FIFO cannot be read now. Reading is tried again later. */
  readonly missed: () => void;
  /** Called after a pause, to try again to read the FIFO. */
  readonly again: () => void;
  /** True if this is a retry. A problem is reported only for the first attempt. */
  readonly isAgain: boolean;
}

const readOn = (
  channel: OutputChannel,
  { fifo, id, logError, handed, checkRoom, missed, again, isAgain }: ReadAttempt,
): void => {
  try {
    const end = handed.of(fifo);
    if (end === undefined) checkRoom();
    closeSync(channel.attach(fifo));
    if (end !== undefined) handed.close(end);
  } catch (error) {
    missed();
    if (!isAgain) logError(`${fifo} of ${id} cannot be read on (${refusalText(error)})`);
    setTimeout(again, READ_AGAIN_MS).unref();
  }
};

interface AdoptionPorts {
  readonly layout: Layout;
  readonly logError: LogError;
  /** Throws if too few descriptors are free. */
  readonly checkRoom: () => void;
  readonly logOf: (spec: ServiceSpec) => ServiceLog;
}

interface PendingOutput {
  readonly spec: ServiceSpec;
  readonly name: OwnName;
  readonly living: readonly Living[];
  /** Returns the result of `outputsOf(living)`, which all streams of a service share. */
  readonly outputs: () => ReturnType<typeof outputsOf>;
  /**
   * The channel of the first attempt; set only for a retry. Meanwhile the service may have got another spec.
   */
  readonly channel?: OutputChannel;
}

export class Adoption {
  readonly #ports: AdoptionPorts;
  readonly #missed = new Set<ServiceId>();
  readonly #handed = new HandedEnds();
  /** The children of each project that have FIFOs. Valid until all services are adopted. */
  readonly #children = new Map<ProjectId, ReturnType<typeof childFifos>>();

  constructor(ports: AdoptionPorts) {
    this.#ports = ports;
  }

  /** Returns the services with output that could not be read yet. */
  missed(): readonly ServiceId[] {
    return [...this.#missed];
  }

  adopt(spec: ServiceSpec, living: readonly Living[]): void {
    const { layout, logOf } = this.#ports;
    // Output that the dead supervisor had read but not written is first written to the log. Then the last
    // lines are read from the log, so that they are complete and in order.
    const path = layout.log(spec.id);
    let open: ReturnType<typeof outputsOf> | undefined;
    const pending = { spec, living, outputs: () => (open ??= outputsOf(living)) };
    for (const fifoPair of FIFO_PAIRS)
      for (const stream of RUN_STREAMS) this.#readOn({ ...pending, name: { stream, fifoPair } });
    this.#readOn({ ...pending, name: { stream: 'hook', fifoPair: 0 } });
    for (const child of this.#childrenOf(spec.id)) this.#readChild(spec, child);
    if (spec.logs.sink === 'none') return;
    for (const { process, fifoPair } of living) {
      const most = awaitedIn(spec) === undefined ? TAIL_BYTES : AWAITED_BYTES;
      logOf(spec)
        .run(fifoPair)
        .resume(spec, lastLinesOf(process, path, most));
    }
  }

  /**
   * Takes over the reading ends that the program before a re-exec handed over, until all services are
   * adopted.
   */
  inherit(ends: readonly number[]): void {
    this.#handed.take(ends);
  }

  /** Call it when all services are adopted. Closes the reading ends that were not needed. */
  finish(): void {
    this.#children.clear();
    this.#handed.closeAll();
  }

  /** Reads the directory of a project once, not once per service, because it has many files. */
  #childrenOf(id: ServiceId): readonly ChildOutput[] {
    const project = projectOf(id);
    const known = this.#children.get(project) ?? childFifos(this.#ports.layout, project);
    this.#children.set(project, known);
    return known.get(id) ?? [];
  }

  /** Returns the channel of a child. The FIFO is deleted when no process can write and all is read. */
  childOf(spec: ServiceSpec, child: ChildOutput): OutputChannel {
    const fifo = this.#ports.layout.childFifo(spec.id, child);
    return this.#ports.logOf(spec).child(child, () => rmSync(fifo, { force: true }));
  }

  #readOn(pending: PendingOutput): void {
    const { spec, name, living, outputs } = pending;
    const { stream, fifoPair } = name;
    const { layout, logError, logOf } = this.#ports;
    const fifo = layout.fifo(spec.id, stream, fifoPair);
    const found = existsSync(fifo) ? fifo : outputs().get(`${fifo} (deleted)`);
    if (found === undefined) {
      if (spec.logs.sink === 'file' && stream !== 'hook' && living.some((one) => one.fifoPair === fifoPair))
        logError(`${fifo} is missing: the ${stream} of ${spec.id} is not read until it is restarted`);
      return;
    }
    const channel = pending.channel ?? channelOf(logOf(spec), name);
    const again = (): void => this.#readOn({ ...pending, outputs: () => outputsOf(living), channel });
    const isAgain = pending.channel !== undefined;
    readOn(channel, { fifo: found, isAgain, ...this.#reading(spec, again) });
  }

  #readChild(spec: ServiceSpec, child: ChildOutput, before?: OutputChannel): void {
    const channel = before ?? this.childOf(spec, child);
    const isAgain = before !== undefined;
    const fifo = this.#ports.layout.childFifo(spec.id, child);
    const again = (): void => this.#readChild(spec, child, channel);
    readOn(channel, { fifo, isAgain, ...this.#reading(spec, again) });
  }

  #reading({ id }: ServiceSpec, again: () => void): Omit<ReadAttempt, 'fifo' | 'isAgain'> {
    const { logError, checkRoom } = this.#ports;
    return {
      ...{ id, logError, checkRoom, handed: this.#handed },
      missed: () => void this.#missed.add(id),
      again: () => {
        this.#missed.delete(id);
        again();
      },
    };
  }
}
