// The reason why an upgrade does not take place. It is thrown where it is found, and reported to the client.
import type { SupError } from '../../streams/domain/errors/error.ts';

export class UpgradeRefused extends Error {
  readonly error: SupError;

  constructor(error: SupError) {
    super(error.code);
    this.error = error;
  }
}

/** Throws `UpgradeRefused` if there is an error. */
export const refuse = (error: SupError | undefined): void => {
  if (error !== undefined) throw new UpgradeRefused(error);
};

/** Returns the error for an upgrade that failed because the supervisor was busy for too long. */
export const busy = (detail: string): UpgradeRefused =>
  new UpgradeRefused({ code: 'ERR0502', detail, why: 'busy' });
