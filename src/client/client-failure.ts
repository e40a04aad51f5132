// The error of a failed call to the supervisor. It has an error document, from the client or from the
// supervisor.
import type { SupError } from '../streams/domain/errors/error.ts';
import { Failure } from '../streams/views/errors/command-failure.ts';
import { errorDocument } from '../streams/views/errors/error-text.ts';
import { PROTOCOL, type Hello, type RpcError } from '../streams/wire/protocol.ts';
import type { ErrorDocument } from '../streams/wire/documents/basic-documents.ts';

export class ClientFailure extends Error {
  override readonly name = 'ClientFailure';
  readonly document: ErrorDocument;
  /** The error in its internal form; absent if the error came from the supervisor. */
  readonly error?: SupError;
  /** Warnings that the supervisor sent together with the error. */
  readonly warnings: readonly string[];

  constructor(document: ErrorDocument, error?: SupError, warnings: readonly string[] = []) {
    super(document.message);
    this.document = document;
    this.warnings = warnings;
    if (error !== undefined) this.error = error;
  }
}

const hasCode = (thrown: unknown, code: ErrorDocument['code']): thrown is ClientFailure =>
  thrown instanceof ClientFailure && thrown.document.code === code;

/** True if no supervisor listens (ERR0206). */
export const isGone = (thrown: unknown): thrown is ClientFailure => hasCode(thrown, 'ERR0206');

/** True if a supervisor exists but does not answer (ERR0205). */
export const isSilent = (thrown: unknown): thrown is ClientFailure => hasCode(thrown, 'ERR0205');

/** True if no supervisor answers: none listens (ERR0206), or it is silent (ERR0205). */
export const isUnanswered = (thrown: unknown): thrown is ClientFailure => isGone(thrown) || isSilent(thrown);

export const failedWith = (error: SupError): ClientFailure => new ClientFailure(errorDocument(error), error);

/**
 * Returns the name of a file of this program if the error says that this file could not be loaded (ERR0504,
 * `src/supervisor/loader/run-parts.ts`); otherwise `undefined`.
 */
export const unloadedPart = (thrown: unknown): string | undefined =>
  thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR0504' ? thrown.message : undefined;

/**
 * Returns the error that the library throws: a `ClientFailure` if `thrown` has an `ERR` code, otherwise
 * `thrown` itself.
 */
export const rethrown = (thrown: unknown): unknown => {
  if (thrown instanceof Failure) return new ClientFailure(thrown.document, undefined, thrown.warnings);
  const file = unloadedPart(thrown);
  return file === undefined ? thrown : failedWith({ code: 'ERR0504', file });
};

/** Converts an error answer of the supervisor to a failure. */
export const refusedBy = ({ message, data, warnings }: RpcError): ClientFailure =>
  data === undefined
    ? failedWith({ code: 'ERR0001', detail: message })
    : new ClientFailure(data, undefined, warnings);

/**
 * Returns the failure for a supervisor with another protocol version, which this client cannot understand.
 */
export const otherProtocol = ({ protocol, version, pid }: Hello): ClientFailure =>
  new ClientFailure({
    code: 'ERR0205',
    message: `the supervisor${pid === 0 ? '' : ` (pid ${pid}, sup ${version})`} speaks protocol ${protocol}, this sup speaks ${PROTOCOL}`,
    path: null,
    at: null,
    hint: 'sup upgrade (stops no service), or use the release that it was started with',
  });
