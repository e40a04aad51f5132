// The document `sup.config/1`: a manifest as it is read, with secrets masked.

/** The document of `sup config --json`. */
export interface ConfigDocument {
  readonly schema: 'sup.config/1';
  readonly manifest: string;
  readonly files: readonly string[];
  readonly profiles: readonly string[];
  /** The manifest, as in sup.schema.json */
  readonly config: Readonly<Record<string, unknown>>;
  /** File and line of each value by its dotted path, with --origin */
  readonly origins: Readonly<Record<string, string>> | null;
}
