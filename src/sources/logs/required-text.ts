// Finds texts such that every match of a regular expression contains at least one of them, so that a log can
// be searched for these texts before its lines are decoded. The pattern is read as JavaScript reads it
// without the flag `u`. A part of the pattern that is not understood counts as a part about which nothing is
// known.
// Rules: `docs/behaviour.md`, "Output", "Reading".

/** What is known about the matches of a part of a pattern. */
interface Known {
  /** The only text that this part matches. */
  readonly exact?: string;
  /** Every match contains at least one of these texts. Absent: nothing is known. */
  readonly texts?: readonly string[];
}

/** How often a part of a pattern matches: exactly once, at least once, or any number of times. */
type Count = 'once' | 'some' | 'maybe';

const UNKNOWN: Known = {};
/** Maximum number of texts. There is a separate search for each text. */
const MOST_TEXTS = 8;

const shortest = (texts: readonly string[]): number => Math.min(...texts.map(({ length }) => length));

/**
 * Returns the list that is better for a search: its shortest text is longer than the shortest text of the
 * other list. Long texts are rarer in a log.
 */
const better = (one: readonly string[] | undefined, other: readonly string[]): readonly string[] =>
  one === undefined || shortest(other) > shortest(one) ? other : one;

/** Returns what is known about the matches of a choice between these parts (`a|b`). */
const either = (parts: readonly Known[]): Known => {
  const [only, ...more] = parts;
  if (only !== undefined && more.length === 0) return only;
  const each = parts.map(({ exact, texts }) => (exact === undefined ? texts : [exact]));
  const all = each.flatMap((texts) => texts ?? ['']);
  return all.length > MOST_TEXTS || all.includes('') ? UNKNOWN : { texts: all };
};

/** Collects the parts of a pattern that match one after the other. */
class Sequence {
  #run = '';
  #isExact = true;
  #best: readonly string[] | undefined;

  add({ exact, texts }: Known, count: Count): void {
    if (exact !== undefined && count !== 'maybe') this.#run += exact;
    if (exact !== undefined && count === 'once') return;
    this.#endRun();
    this.#isExact = false;
    if (texts !== undefined && count !== 'maybe') this.#best = better(this.#best, texts);
  }

  known(): Known {
    if (this.#isExact) return { exact: this.#run };
    this.#endRun();
    return this.#best === undefined ? UNKNOWN : { texts: this.#best };
  }

  #endRun(): void {
    if (this.#run !== '') this.#best = better(this.#best, [this.#run]);
    this.#run = '';
  }
}

const BRACES = /\{(\d+)(?:,\d*)?\}/y;
const GROUP = /\((?:\?:|\?<[^=!>][^>]*>|(?!\?))/y;
const LOOKAROUND = /\(\?(?:=|!|<=|<!)/y;
const CLASS = /\[(?:[^\]\\]|\\[^])*\]/y;
/** A class of characters, a control character, or a word boundary. */
const SPECIAL = /\\[dDwWsSbBnrtvf]/y;
const ESCAPED = /\\[^A-Za-z0-9]/y;
/** The characters that match more than themselves, or that have no fixed form in UTF-8. */
const UNUSUAL = /[.^$\ud800-\udfff\ufffd]/;
const NOT_ASCII = /[^ -~]/;

class Pattern {
  readonly #source: string;
  readonly #ignoresCase: boolean;
  #at = 0;
  /** True after a part that could not be parsed. */
  isStrange = false;

  constructor({ source, ignoreCase }: RegExp) {
    this.#source = source;
    this.#ignoresCase = ignoreCase;
  }

  alternatives(): Known {
    const found = [this.#sequence()];
    while (this.#skip('|')) found.push(this.#sequence());
    return either(found);
  }

  get isOver(): boolean {
    return this.#at >= this.#source.length;
  }

  #sequence(): Known {
    const sequence = new Sequence();
    while (!this.isOver && !this.isStrange && !'|)'.includes(this.#next())) {
      const part = this.#part();
      sequence.add(part, this.#count());
    }
    return sequence.known();
  }

  #part(): Known {
    if (this.#read(LOOKAROUND) !== undefined) return this.#inner(() => UNKNOWN);
    if (this.#read(GROUP) !== undefined) return this.#inner((known) => known);
    if (this.#read(CLASS) !== undefined || this.#read(SPECIAL) !== undefined) return UNKNOWN;
    const escaped = this.#read(ESCAPED);
    if (escaped !== undefined) return this.#literal(escaped.slice(1));
    const character = this.#next();
    this.#at += 1;
    if ('\\(['.includes(character)) this.isStrange = true;
    return this.#literal(character, UNUSUAL);
  }

  #literal(character: string, unusual = /[\ud800-\udfff\ufffd]/): Known {
    const isUnusual = unusual.test(character) || (this.#ignoresCase && NOT_ASCII.test(character));
    return isUnusual ? UNKNOWN : { exact: character };
  }

  #inner(result: (known: Known) => Known): Known {
    const known = this.alternatives();
    if (!this.#skip(')')) this.isStrange = true;
    return result(known);
  }

  #count(): Count {
    const count = this.#times();
    if (count !== 'once') this.#skip('?');
    return count;
  }

  #times(): Count {
    if (this.#skip('*') || this.#skip('?')) return 'maybe';
    if (this.#skip('+')) return 'some';
    const least = this.#read(BRACES);
    if (least === undefined) return 'once';
    return Number.parseInt(least.slice(1), 10) === 0 ? 'maybe' : 'some';
  }

  #next(): string {
    return this.#source.charAt(this.#at);
  }

  #skip(character: string): boolean {
    const isNext = this.#next() === character;
    if (isNext) this.#at += 1;
    return isNext;
  }

  #read(form: RegExp): string | undefined {
    form.lastIndex = this.#at;
    const [text] = form.exec(this.#source) ?? [];
    if (text !== undefined) this.#at += text.length;
    return text;
  }
}

/**
 * Returns texts such that every match contains at least one of them. If the pattern ignores case, the text
 * may be in upper or lower case. `undefined` if no such texts are known.
 */
export const requiredTexts = (pattern: RegExp): readonly string[] | undefined => {
  if (pattern.flags !== '' && pattern.flags !== 'i') return undefined;
  const reading = new Pattern(pattern);
  const { exact, texts } = reading.alternatives();
  if (reading.isStrange || !reading.isOver) return undefined;
  return exact === undefined || exact === '' ? texts : [exact];
};
