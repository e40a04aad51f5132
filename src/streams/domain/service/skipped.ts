// A kernel feature of the manifest that a run does without (version 2): a namespace that was not granted.

/** A kernel feature of the manifest that a run does without (version 2): a namespace that was not granted. */
export interface Skipped {
  /** The key of the service in its manifest: `isolation.network`. */
  readonly key: string;
  /** The kernel's error, or what it does not support. */
  readonly detail: string;
}
