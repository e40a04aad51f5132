// A workload works with real processes and yields the figures that it has measured.
import type { Figure } from './report/figure.ts';
import type { Tool } from './subjects/subject.ts';

export interface Bench {
  /** The checkout, which has the fixtures. */
  readonly root: string;
  /** A copy of the built program, which a rebuild does not change. */
  readonly dist: string;
  /** The directory of this run; it is removed at the end. */
  readonly scratch: string;
  /**
   * True for fewer repetitions and smaller sizes: to check that the workloads work. Such figures must not be
   * quoted.
   */
  readonly quick: boolean;
  /** The tools to measure: `sup`, then the requested peers that are available. */
  readonly tools: readonly [Tool, ...Tool[]];
  readonly say: (text: string) => void;
  /** The rows of this workload to run. An empty list means all. */
  readonly rows: readonly string[];
}

/** Returns the rows of a workload that must run. */
export const wantedRows = <Row extends { readonly row: string }>(
  { rows }: Bench,
  all: readonly Row[],
): readonly Row[] => all.filter(({ row }) => rows.length === 0 || rows.includes(row));

export interface Workload {
  readonly id: string;
  readonly title: string;
  /** Parts that can be run alone: `--only W20:5000-file`. */
  readonly rows?: readonly string[];
  /** Figures that were yielded before a failure are kept. */
  readonly run: (bench: Bench) => Promise<readonly Figure[]> | AsyncIterable<readonly Figure[]>;
}
