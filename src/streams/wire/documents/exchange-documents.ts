// The documents of `sup import` and `sup export`.
import type { Whole } from './basic-documents.ts';

/** A setting whose meaning changed or was lost. */
export interface LossDocument {
  readonly effect: 'changed' | 'lost';
  /** The service; `null` for a setting of the whole file. */
  readonly service: string | null;
  /** The key in the source. */
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
  /** The file that it was written to; `null` without `--out`. */
  readonly out: string | null;
  readonly losses: readonly LossDocument[];
}

/** The document of `sup export --json`. */
export interface ExportDocument {
  readonly schema: 'sup.export/1';
  readonly format: string;
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** The directory that the files were written to; `null` without `--out`. */
  readonly out: string | null;
  readonly losses: readonly LossDocument[];
}
