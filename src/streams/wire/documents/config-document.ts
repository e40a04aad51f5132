// The document `sup.config/1`: a manifest as `sup` reads it, with secrets masked.

/** The document of `sup config --json`. */
export interface ConfigDocument {
  readonly schema: 'sup.config/1';
  readonly manifest: string;
  readonly files: readonly string[];
  readonly profiles: readonly string[];
  /** The manifest, in the form that sup.schema.json describes */
  readonly config: Readonly<Record<string, unknown>>;
  /** The file and line of each value, by its dotted path. Only with --origin */
  readonly origins: Readonly<Record<string, string>> | null;
}
