// Writes the output of a service to its log in the tick in which it was read. The slot (the buffer of one
// stream) records the progress. On a slow disk the thread pool writes piece by piece, the readers pause, and
// the service blocks when its FIFO is full. If the log cannot be written at all, lines are dropped and
// counted, so that the service does not block.
// Rules: `docs/behaviour.md`, "Output", "A slow disk".
import { setTimeout as pause } from 'node:timers/promises';
import type { Ending } from '../../../streams/output/output-region.ts';
import type { Slot } from '../buffer/output-slot.ts';
import type { GrowingBytes } from '../growing-bytes.ts';
import type { Liner, Moments, Piece } from '../log-lines.ts';
import type { LogError } from '../capture-ports.ts';
import type { LogFailure, RotatedFile } from './log-file.ts';
import { Outage } from './log-outage.ts';
import { isOutOfDescriptors } from '../../../os/errno.ts';

/** If a write takes more than `SLOW_WRITE` ms, the thread pool does the writes of the next `SLOW_FOR` ms. */
const SLOW_WRITE = 100;
const SLOW_FOR = 10_000;
/** Delay before the next attempt to write if no descriptor is free, ms. */
const WAIT_MS = 200;
/** Interval of attempts to write to a failed log while there is no new output, ms. */
const RETRY_MS = 1_000;

interface WriterPorts {
  /** The service's name, for messages. */
  readonly name: string;
  readonly file: RotatedFile;
  /** A shared buffer in which a log builds its lines within one tick. */
  readonly out: GrowingBytes;
  readonly moments: Moments;
  readonly logError: LogError;
}

/** The output of one stream that was read and is in no log yet. */
export interface WriterInput {
  readonly slot: Slot;
  readonly liner: Liner;
  /** Called with lines that were written or dropped, to keep the last lines in memory. */
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

  /** Returns why the log cannot be written at the moment; `undefined` if it can. */
  get refusal(): string | undefined {
    return this.#outage?.reason;
  }

  /** True if nothing is being written and the log is not failing. */
  get isIdle(): boolean {
    return this.#working === undefined && this.#outage === undefined;
  }

  /**
   * Writes the whole lines of the slot, and with `over` also an unfinished line. False if a write is still in
   * progress, because the disk is slow.
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

  /** Returns the lines that fit into the file; `undefined` if the file must be rotated first. */
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
      // If the file cannot be opened, the write below reports why.
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
    this.#record(lines, failure);
    this.#done(read, piece);
    file.giveBack();
    if (performance.now() - began > SLOW_WRITE) this.#slowUntil = performance.now() + SLOW_FOR;
  }

  /** Waits for a free descriptor. No output is lost, because the readers pause. */
  #wait(slot: Slot): void {
    slot.notWritten();
    const { name, logError } = this.#ports;
    if (!this.#waited) logError(`the log of ${name} waits for a free descriptor: raise \`ulimit -n\``);
    this.#waited = true;
    this.#working = pause(WAIT_MS).then(() => {
      this.#working = undefined;
    });
  }

  async #appendSlowly(read: WriterInput, piece: Piece, lines: Buffer): Promise<void> {
    this.#record(lines, await this.#ports.file.appendSlowly(lines));
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

  #record(lines: Buffer, failure: LogFailure): void {
    if (failure === undefined) return;
    const { error } = failure;
    const { name, logError } = this.#ports;
    this.#outage ??= new Outage({ name, logError, last: this.#lastOutage }, error);
    this.#outage.failed(error);
    this.#outage.count(lines);
    this.#tryLater();
  }

  /**
   * Tries later to write to a failed log, even without new output, so that the log says how many lines were
   * dropped.
   */
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
    // No output is being written now, so the file is closed. The next output opens it again.
    this.#ports.file.close();
  }

  /** True if the log can be written. During an outage, tries to write how many lines were dropped. */
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
