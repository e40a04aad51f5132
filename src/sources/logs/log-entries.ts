// Parses the lines of a service's log, and joins long lines that were written in parts, up to a bound.
import { type LogEntry, LONGEST_HEADER, readHeader } from '../../streams/wire/log-line.ts';

/** Bytes that are not UTF-8 become replacement characters. */
export const readEntry = (line: Buffer): LogEntry => {
  const { textAt, ...header } = readHeader(line.toString('latin1', 0, LONGEST_HEADER));
  return { ...header, text: line.toString('utf8', textAt) };
};

/** Longest joined line in characters; the rest follows as a line of its own. */
const LONGEST = 1024 * 1024;

interface Open {
  readonly first: LogEntry;
  readonly texts: string[];
  length: number;
}

/** Joins in the order of writing. Parts are held until the line is whole. */
export class Joiner {
  readonly #open = new Map<string, Open>();

  /** Parts of lines that are not whole yet. Adding them to another joiner continues from here. */
  parts(): readonly LogEntry[] {
    return [...this.#open.values()].map(({ first, texts }) => ({ ...first, text: texts.join('') }));
  }

  /** Returns the line that this entry completes, if it completes one. */
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

/** Joins in reverse order: only the line before shows whether a line is whole. */
export class BackwardJoiner {
  readonly #open = new Map<string, Open & { readonly order: number }>();
  #count = 0;

  /** Returns the later line of that stream if it is whole now. */
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

  /** Returns the lines that are still open at the end. */
  rest(): readonly OrderedEntry[] {
    return [...this.#open.values()].map(whole);
  }
}

/** `order` counts from the newest line backwards. */
export interface OrderedEntry {
  readonly order: number;
  readonly entry: LogEntry;
}

const whole = ({ first, texts, order }: Open & { readonly order: number }): OrderedEntry => ({
  order,
  entry: { ...first, text: texts.join(''), continues: false },
});
