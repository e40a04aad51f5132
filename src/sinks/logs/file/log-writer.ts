// Writes what was read of a service to its log file. Lines are written in the turn in which they were read,
// and their progress is noted in the slot: nothing is only in this process. While the disk is slow, the
// thread pool writes one piece at a time. The readers then pause, and back-pressure reaches the child through
// its FIFO. While the log cannot be written, lines are dropped and counted rather than blocking the service;
// the log says how many.
// Rules: `docs/behaviour.md`, "Output", "A slow disk".
import { setTimeout as pause } from 'node:timers/promises';
import type { Ending } from '../../../streams/output/region.ts';
import type { Slot } from '../buffer/output-slot.ts';
import type { GrowingBytes } from '../growing-bytes.ts';
import type { Liner, Moments, Piece } from '../log-lines.ts';
import type { OnTrouble } from '../capture-ports.ts';
import type { LogFailure, RotatedFile } from './log-file.ts';
import { Outage } from './log-outage.ts';
import { isOutOfDescriptors } from '../../../os/errno.ts';

/** A write slower than this moves writing to the thread pool, and for how long; ms. */
const SLOW_WRITE = 100;
const SLOW_FOR = 10_000;
/** How long to wait for a descriptor. */
const WAIT_MS = 200;
/** How often a log that cannot be written is tried while no output arrives; ms. */
const RETRY_MS = 1_000;

interface WriterPorts {
  /** The name of the service, for messages. */
  readonly name: string;
  readonly file: RotatedFile;
  /** Where lines are built; not shared within a turn. */
  readonly out: GrowingBytes;
  readonly moments: Moments;
  readonly onTrouble: OnTrouble;
}

/** What was read of one stream. */
export interface WriterInput {
  readonly slot: Slot;
  readonly liner: Liner;
  /** Receives lines, in the log or lost. */
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

  /** Why the log cannot be written, as far as known: the next lines try again. */
  get refusal(): string | undefined {
    return this.#outage?.reason;
  }

  /** True if nothing is being written or waits for the log to recover. */
  get isIdle(): boolean {
    return this.#working === undefined && this.#outage === undefined;
  }

  /**
   * Writes whole lines, and at the end of the output the rest too. False: the disk is slow and the rest waits
   * in its slot; call again after `idle`.
   */
  write(read: WriterInput, over?: Exclude<Ending, 'whole'>): boolean {
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

  #take(read: WriterInput, piece: Piece): void {
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

  /** The lines that fit; `undefined`: rotate the log first. */
  #fitting({ slot, liner }: WriterInput, piece: Piece): Piece | undefined {
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

  #append(read: WriterInput, piece: Piece): void {
    const { file } = this.#ports;
    const began = performance.now();
    const lines = this.#put(piece);
    try {
      read.slot.writing({ ...piece, ...file.place(), stamp: read.slot.stamp });
    } catch {
      // The file cannot be opened: the write will report that.
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

  /** Waits for a descriptor. Nothing is lost meanwhile: the readers pause. */
  #wait(slot: Slot): void {
    slot.notWritten();
    const { name, onTrouble } = this.#ports;
    if (!this.#waited) onTrouble(`the log of ${name} waits for a free descriptor: raise \`ulimit -n\``);
    this.#waited = true;
    this.#working = pause(WAIT_MS).then(() => {
      this.#working = undefined;
    });
  }

  async #appendSlowly(read: WriterInput, piece: Piece, lines: Buffer): Promise<void> {
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

  #done({ slot, note }: WriterInput, { cut }: Piece): void {
    slot.written(cut);
    note(this.#ports.out.view());
  }

  #settle(lines: Buffer, failure: LogFailure): void {
    if (failure === undefined) return;
    const { error } = failure;
    const { name, onTrouble } = this.#ports;
    this.#outage ??= new Outage({ name, onTrouble, last: this.#lastOutage }, error);
    this.#outage.failed(error);
    this.#outage.count(lines);
    this.#tryLater();
  }

  /** Retries later even without new output: the log must still tell how many lines are missing. */
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
    // The next output opens it again.
    this.#ports.file.close();
  }

  /** False while the log cannot be written. Its first line afterwards says what is missing. */
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
