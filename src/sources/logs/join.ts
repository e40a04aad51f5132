// Long lines were written in parts: here they become one line again, up to a bound.
import type { LogEntry } from '../../streams/wire/log-line.ts';

/** A joined line is no longer than this many characters; what is beyond follows as a line of its own. */
const LONGEST = 1024 * 1024;

interface Open {
  readonly first: LogEntry;
  readonly texts: string[];
  length: number;
}

/** Joins in the order of writing. A part is held until the line is whole. */
export class Joiner {
  readonly #open = new Map<string, Open>();

  /** Parts of lines that are not whole yet: whoever adds them to another one goes on where this one is. */
  parts(): readonly LogEntry[] {
    return [...this.#open.values()].map(({ first, texts }) => ({ ...first, text: texts.join('') }));
  }

  /** The line that is whole now, if one is. */
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

/** Joins against the order of writing: only the line before tells whether a line is whole. */
export class BackwardJoiner {
  readonly #open = new Map<string, Open & { readonly order: number }>();
  #count = 0;

  /** The later line of that stream, which is whole now. */
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

  /** What is left at the end. */
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
