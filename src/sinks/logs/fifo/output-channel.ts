// One output stream of a service: the reader of its FIFO, and the intake that gets the bytes. Processes of
// the previous run may still write when the next run opens the FIFO. Each run gets a new reader, because the
// previous reader may be about to report end of file. Bytes are handled in the call that reads them, so that
// the new reader continues the unfinished line of the previous reader.
import { closeSync } from 'node:fs';
import type { Intake, Over } from '../intake.ts';
import type { OpenFifo } from './fifo-holder.ts';
import {
  heldOpen,
  openChildEnd,
  openReaderEnd,
  ownEnd,
  readFrom,
  readNow,
  type End,
  type FifoReader,
} from './fifo-ends.ts';

const AGAIN_AFTER_MS = 200;
/**
 * The maximum number of bytes that `readUp` reads. Without it, a process that fills the FIFO all the time
 * could make `readUp` read forever.
 */
const MOST_BYTES = 1024 * 1024;

interface ChannelPorts {
  /** Creates the intake when reading begins. `again` opens a new reader after a pause. */
  readonly intake: (again: () => void) => Intake;
  readonly onEnd: () => void;
  /** Called after a burst of output. The memory that the burst needed can be freed later. */
  readonly onFlood: (channel: OutputChannel) => void;
}

interface Listening {
  readonly fifo: string;
  readonly intake: Intake;
  reader: FifoReader;
  readonly ended: Promise<void>;
  readonly end: () => void;
}

/** Called with a newly opened reading end, before the reader reads from it. */
type First = (descriptor: number, intake: Intake) => void;

/** Reads the output of the previous run from the FIFO, at most `MOST_BYTES`, and ends its last line. */
const readUp: First = (descriptor, intake) => {
  for (let most = MOST_BYTES, more = true; more && most > 0;) {
    const length = readNow(descriptor, intake.buffer());
    most -= length;
    more = length > 0 && intake.received(length);
  }
  if (!intake.isPaused()) intake.endLine();
};

export class OutputChannel {
  readonly #ports: ChannelPorts;
  #listening: Listening | undefined;
  /** True if the last reader read the FIFO to its end. */
  #isEmptied = false;
  /** Resolves when all output of former readers is written. */
  #finished: Promise<void> | undefined;

  constructor(ports: ChannelPorts) {
    this.#ports = ports;
  }

  /** Opens the service's end, starts to read, and returns the service's end. The caller must close it. */
  attach(fifo: string): number {
    return this.#attached(fifo, () => undefined);
  }

  /**
   * Like `attach`, for another run. Ends an unfinished line of the previous run, unless the FIFO is `fresh`.
   */
  attachNext(fifo: string, fresh: boolean): number {
    const isEmpty = (fresh || this.#isEmptied) && this.#listening === undefined;
    return isEmpty ? this.attach(fifo) : this.#attached(fifo, readUp);
  }

  #attached(fifo: string, first: First): number {
    const childEnd = openChildEnd(fifo);
    try {
      this.#listen(fifo, first);
    } catch (error) {
      closeSync(childEnd);
      throw error;
    }
    return childEnd;
  }

  reading(): boolean {
    return this.#listening !== undefined;
  }

  /** Returns the FIFO being read, for the FIFO holder. */
  kept(unkept: boolean): readonly OpenFifo[] {
    if (this.#listening === undefined) return [];
    const { fifo, reader } = this.#listening;
    return [{ fifo, descriptor: reader.descriptor, inode: reader.inode, unkept }];
  }

  /** Resolves when no process can write to the FIFO and all output is read and written. */
  ended(): Promise<void> {
    return this.#listening?.ended ?? this.#finished ?? Promise.resolve();
  }

  /** Resolves when all output read so far is written, even if the service prints all the time. */
  async flushed(): Promise<void> {
    await Promise.all([this.#listening?.intake.written(), this.#finished]);
  }

  /** Writes output that a dead supervisor had read. Does not read the FIFO. */
  writeLeftover(): void {
    void this.#ports
      .intake(() => undefined)
      .finish('part')
      .then(this.#ports.onEnd);
  }

  /** Stops reading, although more output may come. `over`: how to end an unfinished line. */
  close(over: Over): Promise<void> {
    this.#listening?.reader.close();
    return this.#stop(over);
  }

  /**
   * Frees the memory that a burst of output needed. Opens a new reader, because a reader keeps its buffer.
   */
  rest(): void {
    const listening = this.#listening;
    if (listening?.intake.isIdle() !== true) return;
    try {
      this.#reopen(listening);
    } catch {
      // No descriptor is free. The memory stays allocated.
    }
  }

  /** Opens a new reader after a pause, because the intake has replaced its buffer. */
  #again(): void {
    const listening = this.#listening;
    if (listening === undefined) return;
    try {
      this.#reopen(listening);
    } catch {
      // No descriptor is free: try again later.
      setTimeout(() => this.#again(), AGAIN_AFTER_MS);
    }
  }

  /** Opens the FIFO through the present reading end, because its path may be gone or lead to another FIFO. */
  #reopen({ reader }: Listening): void {
    closeSync(this.attach(ownEnd(reader)));
  }

  #listen(fifo: string, first: First): void {
    const before = this.#listening;
    // While the intake is paused, the present reader keeps the FIFO open. The reader is replaced after the
    // pause.
    if (before?.intake.isPaused() === true) return;
    const end = openReaderEnd(fifo);
    const intake = before?.intake ?? this.#ports.intake(() => this.#again());
    this.#isEmptied = false;
    before?.reader.close();
    const reader = this.#reader(end, intake, first);
    if (before === undefined) this.#listening = listeningTo({ fifo, intake, reader });
    else before.reader = reader;
  }

  #reader(end: End, intake: Intake, first: First): FifoReader {
    if (intake.isIdle()) intake.rest();
    if (!intake.isPaused()) first(end.descriptor, intake);
    if (intake.isPaused()) return heldOpen(end);
    return readFrom(end, {
      buffer: () => intake.buffer(),
      received: (length) => this.#received(intake, length),
      end: (isEmptied) => {
        this.#isEmptied = isEmptied;
        void this.#stop('last').then(this.#ports.onEnd);
      },
    });
  }

  #received(intake: Intake, length: number): boolean {
    const wantsMore = intake.received(length);
    if (intake.isIdle()) this.#ports.onFlood(this);
    return wantsMore;
  }

  async #stop(over: Over): Promise<void> {
    const stopped = this.#listening;
    this.#listening = undefined;
    const finished = stopped?.intake.finish(over);
    this.#finished = Promise.all([this.#finished, finished]).then(() => undefined);
    await this.#finished;
    stopped?.end();
  }
}

const listeningTo = (parts: Pick<Listening, 'fifo' | 'intake' | 'reader'>): Listening => {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { ...parts, ended, end };
};
