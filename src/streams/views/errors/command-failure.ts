// The exception that a failed command throws. It contains the error document and the exit status. The command
// line catches it in one place and prints the error.
import type { SupError } from '../../domain/errors/error.ts';
import { errorDocument } from './error-text.ts';
import type { ErrorDocument } from '../../wire/documents/documents.ts';
import type { ExitName } from '../../wire/command-exit-status.ts';

export class Failure extends Error {
  readonly document: ErrorDocument;
  readonly exit: ExitName;
  /** Warnings, which are printed before the error. */
  readonly warnings: readonly string[];

  constructor(document: ErrorDocument, exit: ExitName = 'failed', warnings: readonly string[] = []) {
    super(`${document.code}: ${document.message}`);
    this.name = 'Failure';
    this.document = document;
    this.exit = exit;
    this.warnings = warnings;
  }
}

/** Returns the exception for this error. `exit`: the name of the exit status of the program. */
export const failure = (error: SupError, exit: ExitName = 'failed'): Failure =>
  new Failure(errorDocument(error), exit);
