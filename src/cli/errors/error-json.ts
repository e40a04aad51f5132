// An error as machines are told it, on the standard error: `sup.error/1`.
import type { ErrorDocument } from '../../streams/wire/documents/documents.ts';

export const errorJson = (error: ErrorDocument, warnings: readonly string[] = []): string =>
  JSON.stringify({ schema: 'sup.error/1', error, warnings });
