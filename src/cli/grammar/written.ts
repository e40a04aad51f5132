// A parsed command line, before it is checked. Both readers produce this.

export interface Written {
  /** The command, and the words after it. */
  readonly words: readonly string[];
  /** By the name they were written with: `json`, `p`. A flag has no values. */
  readonly options: ReadonlyMap<string, readonly string[]>;
  /** The words after `--`; absent without `--`. */
  readonly tail?: readonly string[];
}
