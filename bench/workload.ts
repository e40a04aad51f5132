// What a workload is: a recipe that is carried out for real, and the figures that come of it.
import type { Figure } from './report/figure.ts';
import type { Tool } from './subjects/subject.ts';

export interface Bench {
  /** The checkout: where fixtures lie. */
  readonly root: string;
  /** The built program, in a copy that nobody rebuilds. */
  readonly dist: string;
  /** A directory of this run; removed at its end. */
  readonly scratch: string;
  /** Fewer repetitions and smaller sizes: to see that everything works, not to quote. */
  readonly quick: boolean;
  /** `sup` first, then the peers that were asked for and could be had. */
  readonly tools: readonly [Tool, ...Tool[]];
  readonly say: (text: string) => void;
}

export interface Workload {
  readonly id: string;
  readonly title: string;
  readonly run: (bench: Bench) => Promise<readonly Figure[]>;
}
