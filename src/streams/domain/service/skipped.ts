// Something the manifest asks of the kernel that a run goes without (version 2): a namespace that was not granted.

export interface Skipped {
  /** The key of the service in its manifest: `isolation.network`. */
  readonly key: string;
  /** What the kernel said, or what it cannot do. */
  readonly detail: string;
}
