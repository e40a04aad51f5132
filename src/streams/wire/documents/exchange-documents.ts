// The documents of `sup import` and `sup export`.
import type { Whole } from './basic-documents.ts';

/** A setting that the import or export changed or lost. */
export interface LossDocument {
  readonly effect: 'changed' | 'lost';
  /** The service; `null` for a setting of the whole file. */
  readonly service: string | null;
  /** The key in the source file. */
  readonly key: string;
  readonly message: string;
  readonly file: string;
  readonly line: Whole;
}

/** The document of `sup import --json`. */
export interface ImportDocument {
  readonly schema: 'sup.import/1';
  readonly format: string;
  readonly services: Whole;
  /** The text of the manifest. */
  readonly manifest: string;
  /** The file to which the manifest was written; `null` without `--out`. */
  readonly out: string | null;
  readonly losses: readonly LossDocument[];
}

/** The document of `sup export --json`. */
export interface ExportDocument {
  readonly schema: 'sup.export/1';
  readonly format: string;
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** The directory to which the files were written; `null` without `--out`. */
  readonly out: string | null;
  readonly losses: readonly LossDocument[];
}
