// The output of one service: a channel for each stream of its runs, hooks and children, the log file that
// they share, and the last lines in memory.
// Rules: `docs/behaviour.md`, "Children that a service asks for", "Its output".
import type { Observable } from 'rxjs';
import type { FifoPair } from '../../streams/domain/service/process.ts';
import type { ServiceSpec } from '../../streams/domain/declared/spec.ts';
import type { RunId } from '../../streams/domain/ids.ts';
import type { ChildOutput } from '../../streams/domain/ports.ts';
import { childStream, type OutputStream } from '../../streams/wire/log-line.ts';
import type { GrowingBytes } from './growing-bytes.ts';
import type { Slot } from './buffer/output-slot.ts';
import type { TakenSlots } from './buffer/output-slots.ts';
import { OutputChannel } from './fifo/output-channel.ts';
import type { LogWriter } from './file/log-writer.ts';
import { keptIntake, tapped, unkeptIntake, type Intake, type Over } from './intake.ts';
import { Liner, type Moments } from './log-lines.ts';
import { AwaitedLine } from './log-check.ts';
import { RecentLines, textsOf } from './last-lines.ts';

/** Returns the pattern for which a health check by `log` waits. */
export const awaitedIn = ({ deployment: { healthCheck } }: ServiceSpec): string | undefined =>
  healthCheck?.probe.tag === 'log' ? healthCheck.probe.log : undefined;

/** The output of one run. During a rollout a service has two runs, each with its own FIFOs. */
class RunOutput {
  readonly stdout: OutputChannel;
  readonly stderr: OutputChannel;
  readonly recent = new RecentLines();
  readonly awaited = new AwaitedLine();

  constructor(channel: (stream: OutputStream, run: RunOutput) => OutputChannel) {
    this.stdout = channel('stdout', this);
    this.stderr = channel('stderr', this);
  }

  /** Begins another run: forgets the lines of the previous run. */
  begin(spec: ServiceSpec): void {
    this.recent.clear();
    this.awaited.begin(awaitedIn(spec));
  }

  /** Takes the last log lines of a run that outlived its supervisor. */
  resume(spec: ServiceSpec, lines: Buffer): void {
    this.begin(spec);
    this.recent.note(lines);
    if (awaitedIn(spec) !== undefined) this.awaited.takeLines(textsOf(lines));
  }

  /** Emits when a line of the run matches the pattern; at once if such a line was printed before. */
  printed(pattern: string): Observable<void> {
    return this.awaited.found$(pattern, () => this.recent.last(Infinity));
  }

  /** True while a process may still write to the run's output. */
  reading(): boolean {
    return this.stdout.reading() || this.stderr.reading();
  }

  /** Resolves when no process can write to the run's output and all is read. */
  async drained(): Promise<void> {
    await Promise.all([this.stdout.ended(), this.stderr.ended()]);
  }
}

/** Buffers, the clock and a callback, which all services share. */
export interface Workbench {
  readonly read: Buffer;
  readonly out: GrowingBytes;
  readonly moments: Moments;
  readonly onFlood: (channel: OutputChannel) => void;
}

/** The name of a stream of a service. It is part of the name of the stream's slot. */
export interface StreamName {
  readonly stream: OutputStream;
  /** The number of the FIFO pair, or for a child the number of its run. */
  readonly place: number;
}

/** Parts besides the log that get the output of a stream. */
interface Readers {
  readonly recent: RecentLines;
  /** Called with the bytes of each read. */
  readonly take?: (bytes: Buffer) => void;
}

interface ServiceLogPorts {
  readonly writer: LogWriter;
  /** True if output goes to the log; false if only the last lines are kept. */
  readonly isKept: () => boolean;
  readonly slotsOf: (name: StreamName) => TakenSlots;
  readonly bench: Workbench;
}

const NOTHING = (): void => undefined;

export class ServiceLog {
  readonly #ports: ServiceLogPorts;
  /** The runs by FIFO pair, created on first use, because most services never have two runs at once. */
  readonly #runs = new Map<FifoPair, RunOutput>();
  #hook: OutputChannel | undefined;
  readonly #recentHooks = new RecentLines();
  /** Channels of children, by the number of the child's run. */
  readonly #children = new Map<RunId, OutputChannel>();

  constructor(ports: ServiceLogPorts) {
    this.#ports = ports;
  }

  /** Returns why the log cannot be written; `undefined` if it can. */
  get refusal(): string | undefined {
    return this.#ports.writer.refusal;
  }

  /** True if no process prints and all output is written. */
  get isSilent(): boolean {
    return !this.#isRead() && this.#ports.writer.isIdle;
  }

  run(fifoPair: FifoPair): RunOutput {
    const known = this.#runs.get(fifoPair);
    if (known !== undefined) return known;
    const run = new RunOutput((stream, { recent, awaited }) =>
      this.#channel({ stream, place: fifoPair }, { recent, take: (bytes) => awaited.take(stream, bytes) }),
    );
    this.#runs.set(fifoPair, run);
    return run;
  }

  get hook(): OutputChannel {
    this.#hook ??= this.#channel({ stream: 'hook', place: 0 }, { recent: this.#recentHooks });
    return this.#hook;
  }

  /** Returns the channel of a child. `over`: called when no process can write and all is read. */
  child({ name, run }: ChildOutput, over: () => void): OutputChannel {
    const known = this.#children.get(run);
    if (known !== undefined) return known;
    const ended = (): void => {
      this.#children.delete(run);
      over();
    };
    const own = { stream: childStream(name), place: run };
    const channel = this.#channel(own, { recent: new RecentLines() }, ended);
    this.#children.set(run, channel);
    return channel;
  }

  /** Forgets the lines of earlier hooks, so that an error quotes only the lines of its own hook. */
  beginHook(): void {
    this.#recentHooks.clear();
  }

  hookTail(lines: number): readonly string[] {
    return this.#recentHooks.last(lines);
  }

  /** Resolves when all output read so far is written. */
  async flush(): Promise<void> {
    await Promise.all(this.channels().map((channel) => channel.flushed()));
  }

  /** Stops reading, and writes the output read so far. `over`: how to end an unfinished line. */
  async close(over: Over): Promise<void> {
    await Promise.all(this.channels().map((channel) => channel.close(over)));
    this.#releaseWhenDone();
  }

  channels(): readonly OutputChannel[] {
    return [
      ...[...this.#runs.values()].flatMap(({ stdout, stderr }) => [stdout, stderr]),
      ...(this.#hook === undefined ? [] : [this.#hook]),
      ...this.#children.values(),
    ];
  }

  #channel(name: StreamName, readers: Readers, ended = NOTHING): OutputChannel {
    return new OutputChannel({
      intake: (again) => tapped(this.#intake(name, readers, again), readers.take),
      onEnd: () => {
        ended();
        this.#releaseWhenDone();
      },
      onFlood: this.#ports.bench.onFlood,
    });
  }

  #intake(name: StreamName, { recent }: Readers, again: () => void): Intake {
    const { writer, isKept, slotsOf, bench } = this.#ports;
    const note = (lines: Buffer): void => recent.note(lines);
    const liner = new Liner(name.stream);
    if (!isKept()) return unkeptIntake({ liner, buffer: bench.read, moments: bench.moments, note });
    const into = (slot: Slot): Intake =>
      keptIntake({ read: { slot, liner, note }, writer, now: bench.moments.now, again });
    const { over, slot } = slotsOf(name);
    // The output of ended runs is written first. This is not awaited: on a slow disk, the output waits in its
    // slot.
    for (const one of over) void into(one).finish('last');
    return into(slot);
  }

  #releaseWhenDone(): void {
    if (!this.#isRead()) this.#ports.writer.release();
  }

  #isRead(): boolean {
    return this.channels().some((channel) => channel.reading());
  }
}
