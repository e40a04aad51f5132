// A log that cannot be written: how many lines it misses, when to retry, and the messages about it.
// Rules: `docs/behaviour.md`, "Output", "A disk that fails".
import { refusalText } from '../../../os/errno.ts';
import { headerOf, STAMP_LENGTH } from '../../../streams/wire/log-line.ts';
import type { OnTrouble } from '../capture-ports.ts';

/** The least pause between attempts; ms. */
const SHORTEST_PAUSE = 200;
/**
 * The pause doubles with each outage up to this, since on a full disk a short line may fit where the next do
 * not; ms.
 */
const LONGEST_PAUSE = 60_000;
/** An outage that begins sooner after the last one counts as the same; ms. */
const CALM = 60_000;
const NEWLINE = 10;

const countLines = (lines: Buffer): number => {
  let count = 0;
  for (let at = lines.indexOf(NEWLINE); at >= 0; at = lines.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
};

interface OutagePorts {
  readonly name: string;
  readonly onTrouble: OnTrouble;
  /** The previous outage. */
  readonly last: Outage | undefined;
}

export class Outage {
  readonly #name: string;
  readonly #onTrouble: OnTrouble;
  readonly #pause: number;
  #reason: string;
  #endedAt = -Infinity;
  #lines = 0;
  #tryAgainAt = 0;

  /** Begins an outage and warns at once. */
  constructor({ name, onTrouble, last }: OutagePorts, error: unknown) {
    this.#name = name;
    this.#onTrouble = onTrouble;
    this.#reason = refusalText(error);
    this.#pause = last?.pauseAfter ?? SHORTEST_PAUSE;
    onTrouble(`the log of ${name} cannot be written (${this.#reason}): its output is dropped until it can`);
  }

  get reason(): string {
    return this.#reason;
  }

  /** How long an outage that begins now waits between attempts. */
  get pauseAfter(): number {
    return performance.now() - this.#endedAt < CALM
      ? Math.min(this.#pause * 2, LONGEST_PAUSE)
      : SHORTEST_PAUSE;
  }

  count(lines: Buffer): void {
    this.#lines += countLines(lines);
  }

  /** Notes that a write has failed (again). */
  failed(error: unknown): void {
    this.#reason = refusalText(error);
    this.#tryAgainAt = performance.now() + this.#pause;
  }

  mayTry(): boolean {
    return performance.now() >= this.#tryAgainAt;
  }

  /** The line in the log that replaces the missing ones. */
  note(stamp: string): Buffer {
    return Buffer.from(`${stamp}${headerOf('sup').slice(STAMP_LENGTH)}${this.#summary()}\n`);
  }

  over(): void {
    this.#endedAt = performance.now();
    this.#onTrouble(`the log of ${this.#name} is written again; ${this.#summary()}`);
  }

  #summary(): string {
    return `${String(this.#lines)} lines were dropped: ${this.#reason}`;
  }
}
