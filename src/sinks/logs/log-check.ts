// A check by `log`: waits until a run prints a line that matches the pattern of the check. The run may print
// the line before anything waits for it. So the lines of a run are matched from its first line on, until a
// line matches.
// Rules: `docs/behaviour.md`, "Health checks", "A check by log asks nothing".
import { defer, type Observable, of, Subject } from 'rxjs';
import { linePattern, type LinePattern } from '../../streams/output/line-pattern.ts';

const NEWLINE = 10;
/** The maximum number of bytes of a line that are matched. */
const LONGEST = 4096;
const NOTHING = Buffer.alloc(0);

export class AwaitedLine {
  #text: string | undefined;
  #pattern: LinePattern | undefined;
  #isFound = false;
  /** The beginning of the unfinished line of each stream. */
  readonly #rests = new Map<string, Buffer>();
  readonly #found$ = new Subject<void>();

  /** Forgets earlier lines. Matches later lines with this pattern; without a pattern, matches none. */
  begin(text: string | undefined): void {
    this.#text = text;
    this.#pattern = text === undefined ? undefined : linePattern(text);
    this.#isFound = false;
    this.#rests.clear();
  }

  /**
   * Emits when a line of the run matches the pattern `text`; at once if such a line was printed before.
   * `lines` returns the last lines of the run. They are matched only if the pattern is new.
   */
  found$(text: string, lines: () => readonly string[]): Observable<void> {
    return defer(() => {
      if (text !== this.#text) {
        this.begin(text);
        lines().forEach((line) => this.#look(line));
      }
      return this.#isFound ? of(undefined) : this.#found$;
    });
  }

  /**
   * Matches the lines in a part of a stream. `bytes`: the result of one read, which may end within a line.
   */
  take(stream: string, bytes: Buffer): void {
    if (this.#pattern === undefined || this.#isFound) return;
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      this.#look(this.#joined(stream, bytes.subarray(from, end)).toString());
      this.#rests.delete(stream);
      from = end + 1;
    }
    if (from < bytes.length) this.#rests.set(stream, this.#joined(stream, bytes.subarray(from)));
  }

  /** Matches complete lines that an earlier supervisor had read. */
  takeLines(lines: readonly string[]): void {
    lines.forEach((line) => this.#look(line));
  }

  #joined(stream: string, bytes: Buffer): Buffer {
    const rest = this.#rests.get(stream) ?? NOTHING;
    return Buffer.concat([rest, bytes.subarray(0, LONGEST - rest.length)]);
  }

  #look(line: string): void {
    if (this.#isFound || this.#pattern?.tag !== 'pattern' || !this.#pattern.isIn(line)) return;
    this.#isFound = true;
    this.#rests.clear();
    this.#found$.next();
  }
}
