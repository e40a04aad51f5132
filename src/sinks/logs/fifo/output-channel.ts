// One output stream of one service: its FIFO's reader, and where it puts what it reads.
//
// A FIFO outlives its run: leftover processes may still write when the next run opens it. Each run gets a new
// reader, which replaces the old one (that may be about to see its end of file). Bytes are handled in the
// call that reads them, so nothing is lost in between, and both readers feed the same unfinished line.
import { closeSync } from 'node:fs';
import type { Intake, Over } from '../intake.ts';
import type { Kept } from './fifo-holder.ts';
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
/** More than a FIFO ever holds, unless it is refilled meanwhile. */
const MOST_BYTES = 1024 * 1024;

interface ChannelPorts {
  /** Called when reading begins. */
  readonly intake: (again: () => void) => Intake;
  readonly onEnd: () => void;
  /** Called after a flood: memory may be freed later. */
  readonly onFlood: (channel: OutputChannel) => void;
}

interface Listening {
  readonly fifo: string;
  readonly intake: Intake;
  reader: FifoReader;
  readonly ended: Promise<void>;
  readonly end: () => void;
}

/** Runs before anything else is read. */
type First = (descriptor: number, intake: Intake) => void;

/** Reads all that is in the FIFO now: the last run has stopped writing, and the next one has not begun. */
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
  /** True if the last reader saw the end: reading again would cost an exception. */
  #isEmptied = false;
  /** Settles when former readers have finished: on a slow disk the next run may be read by then. */
  #finished: Promise<void> | undefined;

  constructor(ports: ChannelPorts) {
    this.#ports = ports;
  }

  /** Opens a child's end and reads from now on. The caller must close that end. */
  attach(fifo: string): number {
    return this.#attached(fifo, () => undefined);
  }

  /**
   * Like `attach`, for another run: the last unfinished output becomes a line. There is none if the FIFO is
   * new (`fresh`), or was read to its end and is not being read.
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

  /** The FIFO that it reads, for the holder to hold open. */
  kept(unkept: boolean): readonly Kept[] {
    if (this.#listening === undefined) return [];
    const { fifo, reader } = this.#listening;
    return [{ fifo, descriptor: reader.descriptor, inode: reader.inode, unkept }];
  }

  /** Settles when no writer is left and everything is read. */
  ended(): Promise<void> {
    return this.#listening?.ended ?? Promise.resolve();
  }

  /**
   * Settles when everything read so far is written. With constant output and a slow disk it is never idle.
   */
  async flushed(): Promise<void> {
    await Promise.all([this.#listening?.intake.written(), this.#finished]);
  }

  /** Writes what a dead supervisor left of it; it is not read further. */
  settle(): void {
    void this.#ports
      .intake(() => undefined)
      .finish('part')
      .then(this.#ports.onEnd);
  }

  /** Stops reading, although more may come. */
  close(over: Over): Promise<void> {
    this.#listening?.reader.close();
    return this.#stop(over);
  }

  /** Frees the memory of a flood that is over. A reader keeps its buffer, so a new one is opened. */
  rest(): void {
    const listening = this.#listening;
    if (listening?.intake.isIdle() !== true) return;
    try {
      this.#reopen(listening);
    } catch {
      // No descriptor is free: retried later.
    }
  }

  /** Opens a new reader after a pause: a reader keeps its first buffer, and the buffer is then another. */
  #again(): void {
    const listening = this.#listening;
    if (listening === undefined) return;
    try {
      this.#reopen(listening);
    } catch {
      // No descriptor is free.
      setTimeout(() => this.#again(), AGAIN_AFTER_MS);
    }
  }

  /** Reopens through its own end: the FIFO's name may be gone or belong to another one by now. */
  #reopen({ reader }: Listening): void {
    closeSync(this.attach(ownEnd(reader)));
  }

  #listen(fifo: string, first: First): void {
    const before = this.#listening;
    // The paused reader keeps the FIFO open, and is replaced when the pause ends.
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
    const goOn = intake.received(length);
    if (intake.isIdle()) this.#ports.onFlood(this);
    return goOn;
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
