// The parts of a format for import, and the result of reading its files.
import type { Entry, Loss, SourceLine, Plain, RowDescription, Section } from './key-table.ts';
import type { SourceText, SourceTexts } from './source-texts.ts';

export interface DraftService {
  /** A valid name (`service-names.ts`). */
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
  /** Entries for the top level of the manifest, which all services inherit. Their losses are in `losses`. */
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
  /** The name for a file of this format in sentences: `a Procfile`. */
  readonly title: string;
  /** True if the name or the text of a file proves that it has this format. */
  readonly recognises: (file: SourceText) => boolean;
  /** Reads all given files. Throws ERR0802 for a syntax error. */
  readonly read: (files: readonly SourceText[], deps: ImportDeps) => ImportDraft | Promise<ImportDraft>;
  /**
   * True for the name of a file that is read if a directory is imported. If this is absent, a directory is
   * refused.
   */
  readonly ofDirectory?: (name: string) => boolean;
  /** The rows of the table, which the page of the format in `docs/` lists. */
  readonly rows: readonly RowDescription[];
}
