// The type of a format for import, and the result of reading its files.
import type { Entry, Loss, SourceLine, Plain, RowDescription, Section } from './key-table.ts';
import type { SourceText, SourceTexts } from './source-texts.ts';

export interface DraftService {
  /** The name of the service, as a manifest permits it (`service-names.ts`). */
  readonly name: string;
  /** The project. If it is absent, the service belongs to the project of the draft. */
  readonly project?: string;
  readonly place: SourceLine;
  readonly section: Section;
}

/** The imported services in the order of the source, and all losses. */
export interface ImportDraft {
  /** The project that the source names for all its services. */
  readonly project?: string;
  readonly services: readonly DraftService[];
  /**
   * Entries for the top level of the manifest, which all services inherit. The losses of these entries are in
   * `losses`.
   */
  readonly whole?: readonly Entry[];
  /** Losses that belong to no service. */
  readonly losses: readonly Loss[];
}

/** The files, the environment and the evaluation of JavaScript that a format may use. */
export interface ImportDeps extends SourceTexts {
  readonly environment: Readonly<Record<string, string>>;
  /** Evaluates a file of JavaScript in a confined process. Rejects with ERR0806. */
  readonly evaluate: (file: SourceText) => Promise<Plain>;
}

export interface ImportFormat {
  readonly name: string;
  /** What messages call a file of this format, such as `a Procfile`. */
  readonly title: string;
  /** True if the name or the text of a file proves that it has this format. */
  readonly recognises: (file: SourceText) => boolean;
  /** Reads all given files. Throws ERR0802 for a syntax error. */
  readonly read: (files: readonly SourceText[], deps: ImportDeps) => ImportDraft | Promise<ImportDraft>;
  /**
   * True for the name of a file that is read if the user imports a directory. If this function is absent, a
   * directory is refused.
   */
  readonly ofDirectory?: (name: string) => boolean;
  /** The rows of the table. The page of the format in `docs/` lists these rows. */
  readonly rows: readonly RowDescription[];
}
