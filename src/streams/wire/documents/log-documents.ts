// The documents of `sup logs`, except the lines of services.
import type { TimeText, Whole } from './basic-documents.ts';

/** A line of `sup logs --supervisor --json`. */
export interface NoteDocument {
  readonly schema: 'sup.note/1';
  readonly at: TimeText | null;
  readonly level: 'info' | 'warn' | 'error' | null;
  /** The id of the service that the line is about. */
  readonly service: string | null;
  readonly text: string;
}

/** The document of `sup logs --path --json`. */
export interface LogPathsDocument {
  readonly schema: 'sup.log-paths/1';
  readonly services: readonly {
    readonly project: string;
    readonly service: string;
    readonly path: string;
  }[];
}

/** The document of `sup logs --prune --json` and `sup logs --clear --json`. */
export interface PrunedDocument {
  readonly schema: 'sup.pruned/1';
  readonly bytes: Whole;
  readonly files: readonly { readonly path: string; readonly bytes: Whole }[];
}
