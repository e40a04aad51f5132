// Between the readers of a service and its log file. Lines are written at once: a supervisor that is killed the next
// moment has then lost nothing. A flood, and all while the disk is slow, queues for the thread pool; when too much waits, the readers pause, and back-pressure reaches the child through its FIFO. While the log cannot be written, lines
// are dropped and counted rather than stopping a service; the log says how many once it can.
import type { BufferPool } from './buffer-pool.ts';
import type { Appended, LogFile } from './log-file.ts';
import type { LineSink } from '../line-sink.ts';
import { Outage } from './outage.ts';
import type { Stamp } from '../stamp.ts';
import type { OnTrouble } from '../trouble.ts';

/** More bytes than this in so many ms are a flood. */
const FLOOD = 256 * 1024;
const FLOOD_WITHIN = 50;
/** How slow a write may be before all are done in the thread pool, and for how long they are; ms. */
const SLOW_WRITE = 20;
const SLOW_FOR = 10_000;
/** Readers pause when so much is waiting, in bytes. */
const QUEUE_LIMIT = 128 * 1024;

interface WriterPorts {
  /** Whose log it is, for messages. */
  readonly name: string;
  readonly file: LogFile;
  readonly pool: BufferPool;
  readonly stamp: Stamp;
  readonly onTrouble: OnTrouble;
}

export class LogWriter implements LineSink {
  readonly #ports: WriterPorts;
  #queue: Buffer[] = [];
  #waiting = 0;
  #working: Promise<void> | undefined;
  #outage: Outage | undefined;
  #slowUntil = 0;
  /** Bytes that came since a moment not long ago. */
  #bytes = 0;
  #since = 0;

  constructor(ports: WriterPorts) {
    this.#ports = ports;
  }

  append(lines: Buffer): boolean {
    if (!this.#writtenAtOnce(lines)) this.#enqueue(lines);
    return this.#waiting < QUEUE_LIMIT;
  }

  async idle(): Promise<void> {
    while (this.#working !== undefined) await this.#working;
  }

  release(): void {
    if (this.#working !== undefined) return;
    this.#recovered();
    this.#ports.file.close();
  }

  /** False: the queue must take them. */
  #writtenAtOnce(lines: Buffer): boolean {
    const { file } = this.#ports;
    const began = performance.now();
    if (this.#working !== undefined || began < this.#slowUntil || this.#isFlood(lines, began)) return false;
    if (!this.#recovered()) {
      this.#outage?.count(lines);
      return true;
    }
    if (!file.fits(lines.length)) return false;
    this.#settle(lines, file.appendNow(lines));
    if (performance.now() - began > SLOW_WRITE) this.#slowUntil = performance.now() + SLOW_FOR;
    return true;
  }

  #isFlood(lines: Buffer, now: number): boolean {
    if (now - this.#since > FLOOD_WITHIN) {
      this.#since = now;
      this.#bytes = 0;
    }
    this.#bytes += lines.length;
    return this.#bytes > FLOOD;
  }

  #enqueue(lines: Buffer): void {
    this.#queue.push(this.#ports.pool.copyOf(lines));
    this.#waiting += lines.length;
    this.#working ??= this.#writeQueue();
  }

  async #writeQueue(): Promise<void> {
    // Never done before `#working` knows of it.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      for (const lines of batch) {
        if (this.#recovered()) this.#settle(lines, await this.#ports.file.append(lines));
        else this.#outage?.count(lines);
        this.#waiting -= lines.length;
        this.#ports.pool.giveBack(lines);
      }
    }
    this.#working = undefined;
  }

  #settle(lines: Buffer, { written, error }: Appended): void {
    if (error === undefined) return;
    this.#outage ??= new Outage(this.#ports.name, this.#ports.onTrouble, error);
    this.#outage.failed(error);
    this.#outage.count(lines.subarray(written));
  }

  /** False while the log cannot be written. The first thing it says when it can is what is missing. */
  #recovered(): boolean {
    const outage = this.#outage;
    if (outage === undefined) return true;
    if (!outage.mayTry()) return false;
    const { error } = this.#ports.file.appendNow(outage.note(this.#ports.stamp));
    if (error !== undefined) {
      outage.failed(error);
      return false;
    }
    outage.over();
    this.#outage = undefined;
    return true;
  }
}
