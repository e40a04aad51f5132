// A command line taken apart, before anybody asked whether it makes sense. Both readers come to this.

export interface Written {
  /** The command, and what stands behind it. */
  readonly words: readonly string[];
  /** By the name they were written with: `json`, `p`. A flag has no values. */
  readonly options: ReadonlyMap<string, readonly string[]>;
  /** What stands behind `--`; absent: there is no `--`. */
  readonly tail?: readonly string[];
}
