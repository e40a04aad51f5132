// An outage: the time during which a log cannot be written. The class counts dropped lines, decides when to
// try again, and makes the messages.
// Rules: `docs/behaviour.md`, "Output", "A disk that fails".
import { refusalText } from '../../../os/errno.ts';
import { headerOf, STAMP_LENGTH } from '../../../streams/wire/log-line.ts';
import type { LogError } from '../capture-ports.ts';

/** The shortest delay between two attempts to write, ms. */
const SHORTEST_PAUSE = 200;
/**
 * The longest delay between two attempts to write, ms. On a nearly full disk short lines may fit, so that one
 * outage soon follows another. Therefore the delay doubles with each outage.
 */
const LONGEST_PAUSE = 60_000;
/** An outage that begins within this time after the previous outage, ms, has twice the previous delay. */
const CALM = 60_000;
const NEWLINE = 10;

const countLines = (lines: Buffer): number => {
  let count = 0;
  for (let at = lines.indexOf(NEWLINE); at >= 0; at = lines.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
};

interface OutagePorts {
  readonly name: string;
  readonly logError: LogError;
  /** The previous outage of this log. If it ended recently, the new outage has twice its delay. */
  readonly last: Outage | undefined;
}

export class Outage {
  readonly #name: string;
  readonly #logError: LogError;
  readonly #pause: number;
  #reason: string;
  #endedAt = -Infinity;
  #lines = 0;
  #tryAgainAt = 0;

  /** Begins an outage and warns at once. */
  constructor({ name, logError, last }: OutagePorts, error: unknown) {
    this.#name = name;
    this.#logError = logError;
    this.#reason = refusalText(error);
    this.#pause = last?.pauseAfter ?? SHORTEST_PAUSE;
    logError(`the log of ${name} cannot be written (${this.#reason}): its output is dropped until it can`);
  }

  get reason(): string {
    return this.#reason;
  }

  /** Returns the delay between attempts for an outage that begins now, ms. */
  get pauseAfter(): number {
    return performance.now() - this.#endedAt < CALM
      ? Math.min(this.#pause * 2, LONGEST_PAUSE)
      : SHORTEST_PAUSE;
  }

  count(lines: Buffer): void {
    this.#lines += countLines(lines);
  }

  /** Records a failed attempt to write. */
  failed(error: unknown): void {
    this.#reason = refusalText(error);
    this.#tryAgainAt = performance.now() + this.#pause;
  }

  mayTry(): boolean {
    return performance.now() >= this.#tryAgainAt;
  }

  /** Returns a line for the log that says how many lines were dropped. */
  note(stamp: string): Buffer {
    return Buffer.from(`${stamp}${headerOf('sup').slice(STAMP_LENGTH)}${this.#summary()}\n`);
  }

  over(): void {
    this.#endedAt = performance.now();
    this.#logError(`the log of ${this.#name} is written again; ${this.#summary()}`);
  }

  #summary(): string {
    return `${String(this.#lines)} lines were dropped: ${this.#reason}`;
  }
}
