// Between what was read of a service and its log file. Lines are written in the turn in which they were read, and what of
// them is in the file is noted where they were read into: nothing is ever only in this process. While the disk is slow one
// piece at a time is written in the thread pool, the readers pause, and back-pressure reaches the child through its FIFO.
// While the log cannot be written, lines are dropped and counted rather than stopping a service; the log says how many.
import { setTimeout as pause } from 'node:timers/promises';
import type { Ending } from '../../../streams/output/region.ts';
import type { Slot } from '../buffer/slot.ts';
import type { GrowingBytes } from '../bytes.ts';
import type { Liner, Piece } from '../lines.ts';
import type { Moments } from '../stamp.ts';
import type { OnTrouble } from '../trouble.ts';
import type { Failure, LogFile } from './log-file.ts';
import { Outage } from './outage.ts';
import { isOutOfDescriptors } from './reserve.ts';

/** How slow a write may be before all are done in the thread pool, and for how long they are; ms. */
const SLOW_WRITE = 100;
const SLOW_FOR = 10_000;
/** How long to wait for a descriptor. */
const WAIT_MS = 200;
/** How often a log that cannot be written is tried while nobody prints; ms. */
const RETRY_MS = 1_000;

interface WriterPorts {
  /** Whose log it is, for messages. */
  readonly name: string;
  readonly file: LogFile;
  /** Where lines are put together; nobody else's while a turn lasts. */
  readonly out: GrowingBytes;
  readonly moments: Moments;
  readonly onTrouble: OnTrouble;
}

/** What was read of one stream. */
export interface Read {
  readonly slot: Slot;
  readonly liner: Liner;
  /** Told of lines, in the log or lost. */
  readonly note: (lines: Buffer) => void;
}

export class LogWriter {
  readonly #ports: WriterPorts;
  #working: Promise<void> | undefined;
  #outage: Outage | undefined;
  #lastOutage: Outage | undefined;
  #slowUntil = 0;
  #waited = false;
  #retry: NodeJS.Timeout | undefined;

  constructor(ports: WriterPorts) {
    this.#ports = ports;
  }

  /** Why the log cannot be written, as far as is known: it is tried with the next lines. */
  get refusal(): string | undefined {
    return this.#outage?.reason;
  }

  /** Nothing is being written, and nothing waits for the log to be written again. */
  get isIdle(): boolean {
    return this.#working === undefined && this.#outage === undefined;
  }

  /**
   * Writes what makes whole lines, and the rest as well when there is no more to come. False: the disk is slow, what is
   * left waits where it was read into; ask again after `idle`.
   */
  write(read: Read, over?: Exclude<Ending, 'whole'>): boolean {
    const { slot, liner } = read;
    while (this.#working === undefined) {
      const { memory, start, end } = slot;
      if (start === end) return true;
      const raw = { bytes: memory.bytes, from: start, end, room: this.#room(), ...(over && { over }) };
      const piece = liner.next(raw, this.#ports.moments.text(slot.stamp));
      if (piece === undefined) return true;
      this.#take(read, piece);
    }
    return false;
  }

  async idle(): Promise<void> {
    while (this.#working !== undefined) await this.#working;
  }

  release(): void {
    if (this.#working !== undefined) return;
    this.#recovered();
    this.#ports.file.close();
  }

  #take(read: Read, piece: Piece): void {
    if (!this.#recovered()) {
      this.#outage?.count(this.#put(piece));
      this.#done(read, piece);
      return;
    }
    const fitting = this.#fitting(read, piece);
    if (fitting === undefined) this.#ports.file.rotate();
    else this.#append(read, fitting);
  }

  #room(): number {
    try {
      return this.#ports.file.room();
    } catch {
      return Infinity;
    }
  }

  /** `undefined`: the log is to be rotated first. */
  #fitting({ slot, liner }: Read, piece: Piece): Piece | undefined {
    const { file, moments } = this.#ports;
    try {
      const { bytes } = slot.memory;
      const [from, stamp] = [slot.start, moments.text(slot.stamp)];
      const fitting = liner.fitting(bytes, { piece, from, room: this.#room() }, stamp);
      if (fitting !== undefined || file.place().size > 0) return fitting;
      return liner.one(bytes, { piece, from }, stamp);
    } catch {
      return piece;
    }
  }

  #append(read: Read, piece: Piece): void {
    const { file } = this.#ports;
    const began = performance.now();
    const lines = this.#put(piece);
    try {
      read.slot.writing({ ...piece, ...file.place(), stamp: read.slot.stamp });
    } catch {
      // The file cannot be opened: the attempt to write says so.
    }
    if (began < this.#slowUntil) {
      this.#working = this.#appendSlowly(read, piece, Buffer.from(lines));
      return;
    }
    const failure = file.append(lines);
    if (isOutOfDescriptors(failure?.error)) {
      this.#wait(read.slot);
      return;
    }
    this.#settle(lines, failure);
    this.#done(read, piece);
    file.giveBack();
    if (performance.now() - began > SLOW_WRITE) this.#slowUntil = performance.now() + SLOW_FOR;
  }

  /** A log that cannot be opened for want of a descriptor loses nothing: its readers pause. */
  #wait(slot: Slot): void {
    slot.notWritten();
    const { name, onTrouble } = this.#ports;
    if (!this.#waited) onTrouble(`the log of ${name} waits for a free descriptor: raise \`ulimit -n\``);
    this.#waited = true;
    this.#working = pause(WAIT_MS).then(() => {
      this.#working = undefined;
    });
  }

  async #appendSlowly(read: Read, piece: Piece, lines: Buffer): Promise<void> {
    this.#settle(lines, await this.#ports.file.appendSlowly(lines));
    read.slot.written(piece.cut);
    read.note(lines);
    this.#ports.file.giveBack();
    this.#working = undefined;
  }

  #put({ lines }: Piece): Buffer {
    const { out } = this.#ports;
    out.clear();
    out.appendLatin1(lines);
    return out.view();
  }

  #done({ slot, note }: Read, { cut }: Piece): void {
    slot.written(cut);
    note(this.#ports.out.view());
  }

  #settle(lines: Buffer, failure: Failure): void {
    if (failure === undefined) return;
    const { error } = failure;
    const { name, onTrouble } = this.#ports;
    this.#outage ??= new Outage({ name, onTrouble, last: this.#lastOutage }, error);
    this.#outage.failed(error);
    this.#outage.count(lines);
    this.#tryLater();
  }

  /** Somebody who prints nothing more is still to be told what is missing, and nobody that it cannot be told. */
  #tryLater(): void {
    if (this.#retry !== undefined) return;
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      if (this.#working === undefined) this.#tryNow();
      if (this.#outage !== undefined) this.#tryLater();
    }, RETRY_MS).unref();
  }

  #tryNow(): void {
    if (this.#outage === undefined || !this.#recovered()) return;
    // Who goes on printing opens it again.
    this.#ports.file.close();
  }

  /** False while the log cannot be written. The first thing it says when it can is what is missing. */
  #recovered(): boolean {
    const outage = this.#outage;
    if (outage === undefined) return true;
    if (!outage.mayTry()) return false;
    const { file, moments } = this.#ports;
    const failure = file.append(outage.note(moments.text(moments.now())));
    if (failure !== undefined) {
      outage.failed(failure.error);
      return false;
    }
    outage.over();
    this.#outage = undefined;
    this.#lastOutage = outage;
    return true;
  }
}
