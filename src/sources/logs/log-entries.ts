// Parses the lines of a service's log. A long line that was written in several parts is joined again, up to a
// maximum length.
import { type LogEntry, LONGEST_HEADER, readHeader } from '../../streams/wire/log-line.ts';

/** Parses one line. Bytes that are not valid UTF-8 become replacement characters. */
export const readEntry = (line: Buffer): LogEntry => {
  const { textAt, ...header } = readHeader(line.toString('latin1', 0, LONGEST_HEADER));
  return { ...header, text: line.toString('utf8', textAt) };
};

/** Maximum length of a joined line, characters; the rest becomes another line. */
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
   * Returns the parts of incomplete lines. A joiner to which they are added continues where this one stopped.
   */
  parts(): readonly LogEntry[] {
    return [...this.#open.values()].map(({ first, texts }) => ({ ...first, text: texts.join('') }));
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

/**
 * Joins the parts of lines in reverse order. There, only the preceding line shows whether a line is complete.
 */
export class BackwardJoiner {
  readonly #open = new Map<string, Open & { readonly order: number }>();
  #count = 0;

  /**
   * Adds a line or a part of one. Returns the next later line of the same stream if it is complete now;
   * otherwise `undefined`.
   */
  add(entry: LogEntry): OrderedEntry | undefined {
    const later = this.#open.get(entry.stream);
    if (entry.continues && later !== undefined && later.length < LONGEST) {
      this.#open.set(entry.stream, {
        first: entry,
        texts: [entry.text, ...later.texts],
        length: later.length + entry.text.length,
        order: later.order,
      });
      return undefined;
    }
    this.#count += 1;
    this.#open.set(entry.stream, {
      first: entry,
      texts: [entry.text],
      length: entry.text.length,
      order: this.#count,
    });
    return later === undefined ? undefined : whole(later);
  }

  /** Returns the lines that are still incomplete when the beginning of the log is reached. */
  rest(): readonly OrderedEntry[] {
    return [...this.#open.values()].map(whole);
  }
}

/** A complete line. `order`: the number of the line, counted backwards from the newest one. */
export interface OrderedEntry {
  readonly order: number;
  readonly entry: LogEntry;
}

const whole = ({ first, texts, order }: Open & { readonly order: number }): OrderedEntry => ({
  order,
  entry: { ...first, text: texts.join(''), continues: false },
});
