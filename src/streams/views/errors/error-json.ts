// An error for programs, on standard error: `sup.error/1`.
import { documentJson } from '../words/foreign-text.ts';
import type { ErrorDocument } from '../../wire/documents/documents.ts';

/** The error as one line of JSON (`sup.error/1`). */
export const errorJson = (error: ErrorDocument, warnings: readonly string[] = []): string =>
  documentJson({ schema: 'sup.error/1', error, warnings });
