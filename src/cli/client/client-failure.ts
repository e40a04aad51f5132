// How a call to the supervisor fails: always with a document to show, whichever side found the fault.
import type { SupError } from '../../streams/domain/errors/error.ts';
import { errorDocument } from '../../streams/views/errors/error-text.ts';
import type { ErrorDocument } from '../../streams/wire/documents/documents.ts';
import { PROTOCOL, type Hello, type RpcError } from '../../streams/wire/protocol.ts';

export class ClientFailure extends Error {
  override readonly name = 'ClientFailure';
  /** The error to show. */
  readonly document: ErrorDocument;
  /** Present if this side found the fault. */
  readonly error?: SupError;
  /** Warnings that the answer has besides the error. */
  readonly warnings: readonly string[];

  constructor(document: ErrorDocument, error?: SupError, warnings: readonly string[] = []) {
    super(document.message);
    this.document = document;
    this.warnings = warnings;
    if (error !== undefined) this.error = error;
  }
}

/** True if the failure says that there is no supervisor. */
export const isGone = (thrown: unknown): thrown is ClientFailure =>
  thrown instanceof ClientFailure && thrown.document.code === 'ERR0206';

export const failedWith = (error: SupError): ClientFailure => new ClientFailure(errorDocument(error), error);

/** Returns the failure that the supervisor answered instead of a result. */
export const refusedBy = ({ message, data, warnings }: RpcError): ClientFailure =>
  data === undefined
    ? failedWith({ code: 'ERR0001', detail: message })
    : new ClientFailure(data, undefined, warnings);

/** Returns the failure for a supervisor of another protocol version, which cannot be understood. */
export const otherProtocol = ({ protocol, version, pid }: Hello): ClientFailure =>
  new ClientFailure({
    code: 'ERR0205',
    message: `the supervisor${pid === 0 ? '' : ` (pid ${pid}, sup ${version})`} speaks protocol ${protocol}, this sup speaks ${PROTOCOL}`,
    path: null,
    at: null,
    hint: 'sup upgrade (stops no service), or use the release that it was started with',
  });
