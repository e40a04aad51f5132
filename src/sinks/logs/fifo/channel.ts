// One output stream of one service: its FIFO's reader, and where it puts what it reads.
//
// A FIFO outlives the run that was given it: what a run left behind may still write when the next run opens it. A new
// reader is opened each time (the old one may have its end of file on the way) and replaces the old one; bytes are
// handled in the very call that reads them, so nothing is lost between the two, and both feed the same unfinished line.
import { closeSync } from 'node:fs';
import type { Intake, Over } from '../intake.ts';
import type { Kept } from '../keeper.ts';
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
/** More than a FIFO ever holds, unless somebody fills it meanwhile. */
const MOST_BYTES = 1024 * 1024;

interface ChannelPorts {
  /** Made when reading begins. */
  readonly intake: (again: () => void) => Intake;
  readonly onEnd: () => void;
  /** A lot has been read: memory may be given back later. */
  readonly onFlood: (channel: Channel) => void;
}

interface Listening {
  readonly fifo: string;
  readonly intake: Intake;
  reader: FifoReader;
  readonly ended: Promise<void>;
  readonly end: () => void;
}

/** What is done before anything else is read. */
type First = (descriptor: number, intake: Intake) => void;

/** All that is in the FIFO now: nobody of the last run writes any more, and nobody of the next one does yet. */
const readUp: First = (descriptor, intake) => {
  for (let most = MOST_BYTES, more = true; more && most > 0;) {
    const length = readNow(descriptor, intake.buffer());
    most -= length;
    more = length > 0 && intake.received(length);
  }
  if (!intake.isPaused()) intake.endLine();
};

export class Channel {
  readonly #ports: ChannelPorts;
  #listening: Listening | undefined;
  /** Whoever listened last has read all of it, and nobody was left to write: a look would cost an exception. */
  #isEmptied = false;
  /** The ends of those that have listened: the disk may be slow, and the next run read by then. */
  #finished: Promise<void> | undefined;

  constructor(ports: ChannelPorts) {
    this.#ports = ports;
  }

  /** Opens a child's end and reads from now on. The caller closes the end it gets. */
  attach(fifo: string): number {
    return this.#attached(fifo, () => undefined);
  }

  /**
   * The same for another run: what the one before it has printed last is a line, finished or not. There is none where
   * the FIFO is new (`fresh`) or was read to its end, and nobody is read.
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

  /** The FIFO that it reads, for whoever is to keep it open. */
  kept(unkept: boolean): readonly Kept[] {
    if (this.#listening === undefined) return [];
    const { fifo, reader } = this.#listening;
    return [{ fifo, descriptor: reader.descriptor, inode: reader.inode, unkept }];
  }

  /** Settles when no writer is left and everything is read. */
  ended(): Promise<void> {
    return this.#listening?.ended ?? Promise.resolve();
  }

  /** Settles when what was read so far is written. Somebody who prints without a pause on a slow disk is never idle. */
  async flushed(): Promise<void> {
    await Promise.all([this.#listening?.intake.written(), this.#finished]);
  }

  /** Writes what a dead supervisor left of it; nobody reads on. */
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

  /** Gives back the memory of a flood that is over. A reader keeps its buffer: so there is a new one. */
  rest(): void {
    const listening = this.#listening;
    if (listening?.intake.isIdle() !== true) return;
    try {
      this.#reopen(listening);
    } catch {
      // No descriptor is free: another time.
    }
  }

  /** A reader keeps the place that it was given to read into, which is another one after a pause: so there is a new one. */
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

  /** Through its own end: the name of the FIFO may be gone, or that of another one by now. */
  #reopen({ reader }: Listening): void {
    closeSync(this.attach(ownEnd(reader)));
  }

  #listen(fifo: string, first: First): void {
    const before = this.#listening;
    // The reader that waits keeps the FIFO open, and there is another one as soon as the wait is over.
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
