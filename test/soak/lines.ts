// The lines of a writer against what it told: of each run every word is in the log once, in order, whole; at its very end
// there may be a beginning of a word, if the run was killed in the middle of a write.
export interface Account {
  readonly words: number;
  readonly lost: number;
  readonly doubled: number;
  readonly torn: number;
  /** The first few things that are wrong, in words. */
  readonly wrong: readonly string[];
}

const LINE = /^\S{27} (?:stdout|stderr)(\+?) (.*)$/;
const WORD = /^(\d+)\.(\d{9});$/;
const TOLD = 5;

interface Run {
  next: number;
  /** Length of the beginning of a word that it ended with. */
  tail: number | undefined;
}

export class Ledger {
  readonly #runs = new Map<string, Run>();
  readonly #wrong: string[] = [];
  #rest = '';
  #words = 0;
  #lost = 0;
  #doubled = 0;
  #torn = 0;

  line(text: string): void {
    const [, part, content] = LINE.exec(text) ?? [];
    if (content === undefined) return this.#tear(text);
    const words = `${this.#rest}${content}`.split(' ');
    const last = part === '+' ? (words.pop() ?? '') : '';
    this.#rest = WORD.test(last) ? '' : last;
    if (this.#rest !== last) words.push(last);
    words.filter((word) => word !== '').forEach((word) => this.#take(word));
  }

  /** A run told that it had written so many bytes. */
  told(run: string, bytes: number): void {
    const { next, tail } = this.#run(run);
    const width = run.length + 12;
    const seen = next * width + (tail ?? 0);
    if (seen >= bytes) return;
    this.#lost += Math.max(1, Math.floor(bytes / width) - next);
    this.#say(`run ${run}: ${bytes} bytes were written, ${seen} are in the log`);
  }

  account(): Account {
    return {
      words: this.#words,
      lost: this.#lost,
      doubled: this.#doubled,
      torn: this.#torn,
      wrong: this.#wrong,
    };
  }

  #run(name: string): Run {
    const run = this.#runs.get(name) ?? { next: 0, tail: undefined };
    this.#runs.set(name, run);
    return run;
  }

  #take(word: string): void {
    const [, name = '', number] = WORD.exec(word) ?? [];
    if (number === undefined) return this.#end(word);
    const run = this.#run(name);
    const at = Number(number);
    if (run.tail !== undefined) this.#tear(`${word} after the end of its run`);
    if (at < run.next) {
      this.#doubled += 1;
      return this.#say(`${word} again, after ${run.next - 1}`);
    }
    if (at > run.next) {
      this.#lost += at - run.next;
      this.#say(`${word} after ${run.next - 1}`);
    }
    run.next = at + 1;
    this.#words += 1;
  }

  /** The beginning of the next word of some run. */
  #end(word: string): void {
    const [name = ''] = word.split('.');
    const known = [...this.#runs].find(
      ([each, { next, tail }]) =>
        tail === undefined &&
        `${each}.${String(next).padStart(9, '0')};`.startsWith(word) &&
        (each === name || word.length <= each.length),
    );
    if (known === undefined) {
      if (/^\d+(\.0*)?$/.test(word)) return void (this.#run(name).tail = word.length);
      return this.#tear(word);
    }
    known[1].tail = word.length;
  }

  #tear(text: string): void {
    this.#torn += 1;
    this.#say(`torn: ${text.slice(0, 80)}`);
  }

  #say(text: string): void {
    if (this.#wrong.length < TOLD) this.#wrong.push(text);
  }
}
