// What a format that can be imported consists of, and what reading one returns.
import type { Entry, Loss, SourceLine, Plain, RowDescription, Section } from './key-table.ts';
import type { SourceText, SourceTexts } from './source-texts.ts';

export interface DraftService {
  /** A valid name (`service-names.ts`). */
  readonly name: string;
  /** The project; absent: that of the whole draft. */
  readonly project?: string;
  readonly place: SourceLine;
  readonly section: Section;
}

/** The services of a source in its order. */
export interface ImportDraft {
  /** The name that the source gives to all of its services. */
  readonly project?: string;
  readonly services: readonly DraftService[];
  /** Keys of the top level, for all services; what they lose is in `losses`. */
  readonly whole?: readonly Entry[];
  /** Losses that belong to no service. */
  readonly losses: readonly Loss[];
}

/** What reading a format needs of its surroundings. */
export interface ImportDeps extends SourceTexts {
  readonly environment: Readonly<Record<string, string>>;
  /** Evaluates a file of JavaScript in a confined process. Rejects with ERR0806. */
  readonly evaluate: (file: SourceText) => Promise<Plain>;
}

export interface ImportFormat {
  readonly name: string;
  /** How sentences call a file of this format: `a Procfile`. */
  readonly title: string;
  /** True for a file that is certainly of this format, by its name or its text. */
  readonly recognises: (file: SourceText) => boolean;
  /** Reads all given files. Throws ERR0802 for a syntax error. */
  readonly read: (files: readonly SourceText[], deps: ImportDeps) => ImportDraft | Promise<ImportDraft>;
  /** Names of files in a directory that belong to the format; absent: a directory is refused. */
  readonly ofDirectory?: (name: string) => boolean;
  /** The table, for the page of the format. */
  readonly rows: readonly RowDescription[];
}
