// A workload: a recipe that is run with real processes, and its figures.
import type { Figure } from './report/figure.ts';
import type { Tool } from './subjects/subject.ts';

export interface Bench {
  /** The checkout with the fixtures. */
  readonly root: string;
  /** A copy of the built program, unaffected by a rebuild. */
  readonly dist: string;
  /** The directory of this run; it is removed at the end. */
  readonly scratch: string;
  /** Fewer repetitions and smaller sizes: to check that everything works, not for figures to quote. */
  readonly quick: boolean;
  /** `sup` first, then the requested peers that are available. */
  readonly tools: readonly [Tool, ...Tool[]];
  readonly say: (text: string) => void;
}

export interface Workload {
  readonly id: string;
  readonly title: string;
  readonly run: (bench: Bench) => Promise<readonly Figure[]>;
}
