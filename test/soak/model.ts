// What was requested of each service. An interrupted command leaves two possibilities until the next look.
import { NAMES, type Name } from './cast.ts';
import type { Word } from './plan.ts';

export type Wanted = 'up' | 'down';

export class Model {
  readonly #wanted = new Map<Name, ReadonlySet<Wanted>>(NAMES.map((name) => [name, new Set<Wanted>(['up'])]));

  /** `certain`: it was acknowledged. */
  ordered(name: Name, word: Word, certain: boolean): void {
    if (word === 'status') return;
    const wanted: Wanted = word === 'stop' ? 'down' : 'up';
    this.#wanted.set(name, new Set(certain ? [wanted] : [...this.possible(name), wanted]));
  }

  possible(name: Name): ReadonlySet<Wanted> {
    return this.#wanted.get(name) ?? new Set();
  }

  /** What a look has found is the case from then on. */
  found(name: Name, wanted: Wanted): void {
    this.#wanted.set(name, new Set([wanted]));
  }
}
