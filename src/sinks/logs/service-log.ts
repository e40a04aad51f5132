// Everything the supervisor holds of one service's output: the channels of its runs and of its hooks, the log file they
// share by whole lines, and the last lines in memory.
import type { OutputStream } from '../../streams/wire/log-line.ts';
import type { BufferPool } from './file/buffer-pool.ts';
import type { GrowingBytes } from './bytes.ts';
import { Channel } from './fifo/channel.ts';
import { Framer } from './framing.ts';
import { endOnlyUnless } from './last-lines.ts';
import { whileKept, type LineSink } from './line-sink.ts';
import { RecentLines } from './recent.ts';
import { RunOutput } from './fifo/run-output.ts';
import type { Stamp } from './stamp.ts';

/** What all services of one capture share: a buffer to read into, one to build lines in, those that wait, the clock. */
export interface Workbench {
  readonly read: Buffer;
  readonly out: GrowingBytes;
  readonly pool: BufferPool;
  readonly stamp: Stamp;
}

export class ServiceLog {
  /** By lane. */
  readonly runs: readonly [RunOutput, RunOutput];
  readonly hook: Channel;
  readonly #writer: LineSink;
  readonly #isKept: () => boolean;
  readonly #bench: Workbench;
  readonly #recentHooks = new RecentLines();
  #resuming = false;

  /** `isKept`: what is printed goes into the log, and not only into the last lines. */
  constructor(log: LineSink, isKept: () => boolean, bench: Workbench) {
    this.#writer = whileKept(log, isKept);
    this.#isKept = isKept;
    this.#bench = bench;
    const output = (): RunOutput => new RunOutput((stream, recent) => this.#channel(stream, recent));
    this.runs = [output(), output()];
    this.hook = this.#channel('hook', this.#recentHooks);
  }

  /** A command of the supervisor's: its evidence starts empty. */
  beginHook(): void {
    this.#recentHooks.clear();
  }

  hookTail(lines: number): readonly string[] {
    return this.#recentHooks.last(lines);
  }

  /** Settles when everything read so far is written. */
  flush(): Promise<void> {
    return this.#writer.idle();
  }

  /** Stops reading and writes what is left. */
  async close(): Promise<void> {
    for (const channel of this.#channels()) channel.close();
    await this.#releaseWhenDone();
  }

  #channels(): readonly Channel[] {
    return [...this.runs.flatMap(({ stdout, stderr }) => [stdout, stderr]), this.hook];
  }

  #channel(stream: OutputStream, recent: RecentLines): Channel {
    return new Channel({
      framer: endOnlyUnless(new Framer(stream, this.#bench), this.#isKept),
      buffer: this.#bench.read,
      emit: (frame) => this.#emit(recent, frame),
      onEnd: () => void this.#releaseWhenDone(),
    });
  }

  #emit(recent: RecentLines, frame: () => void): boolean {
    const { out } = this.#bench;
    out.clear();
    frame();
    if (out.length === 0) return true;
    const lines = out.view();
    // Written first: whatever is done before is time in which being killed would lose these lines.
    const goOn = this.#writer.append(lines);
    recent.note(lines);
    if (goOn) return true;
    void this.#resumeWhenIdle();
    return false;
  }

  async #resumeWhenIdle(): Promise<void> {
    if (this.#resuming) return;
    this.#resuming = true;
    await this.#writer.idle();
    this.#resuming = false;
    for (const channel of this.#channels()) channel.resume();
  }

  async #releaseWhenDone(): Promise<void> {
    await this.#writer.idle();
    if (!this.#channels().some((channel) => channel.reading())) this.#writer.release();
  }
}
