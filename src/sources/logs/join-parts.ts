// Parses the lines of a service's log. A long line that was written in several parts is joined again, up to a
// maximum length.
// Rules: `docs/behaviour.md`, "Output", "Reading".
import { type LogEntry, LONGEST_HEADER, readHeader } from '../../streams/wire/log-line.ts';

/** Parses one line. Bytes that are not valid UTF-8 become replacement characters. */
export const readEntry = (line: Buffer): LogEntry => {
  const { textAt, ...header } = readHeader(line.toString('latin1', 0, LONGEST_HEADER));
  return { ...header, text: line.toString('utf8', textAt) };
};

/** Maximum length of a joined line, characters. Further parts become another line. */
const LONGEST = 1024 * 1024;

interface Open {
  readonly first: LogEntry;
  readonly texts: string[];
  length: number;
}

/**
 * Joins the parts of lines in the order in which they were written. Parts are kept until the line is
 * complete.
 */
export class Joiner {
  readonly #open = new Map<string, Open>();

  /**
   * Returns the parts of incomplete lines. If they are added to another joiner, it continues where this
   * joiner stopped.
   */
  parts(): readonly LogEntry[] {
    return [...this.#open.values()].map(({ first, texts }) => ({ ...first, text: texts.join('') }));
  }

  /** True if the continuation of an added part is missing. */
  get isOpen(): boolean {
    return this.#open.size > 0;
  }

  /** Returns the incomplete lines as if they were complete, and forgets them. */
  rest(): readonly LogEntry[] {
    const rest = this.parts().map((part) => ({ ...part, continues: false }));
    this.#open.clear();
    return rest;
  }

  /** Adds a line or a part. Returns the line if it is complete now; otherwise `undefined`. */
  add(entry: LogEntry): LogEntry | undefined {
    const open = this.#open.get(entry.stream);
    if (open === undefined && !entry.continues) return entry;
    const joined = open ?? { first: entry, texts: [], length: 0 };
    joined.texts.push(entry.text);
    joined.length += entry.text.length;
    if (entry.continues && joined.length < LONGEST) {
      this.#open.set(entry.stream, joined);
      return undefined;
    }
    this.#open.delete(entry.stream);
    return { ...joined.first, text: joined.texts.join(''), continues: false };
  }
}
