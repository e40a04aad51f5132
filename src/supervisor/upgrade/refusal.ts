// Why an upgrade does not take place: thrown wherever that turns out, and told to who asked.
import type { SupError } from '../../streams/domain/errors/error.ts';

export class Refusal extends Error {
  readonly error: SupError;

  constructor(error: SupError) {
    super(error.code);
    this.error = error;
  }
}

/** Throws where there is a reason. */
export const refuse = (error: SupError | undefined): void => {
  if (error !== undefined) throw new Refusal(error);
};

/** It is the supervisor that did not come to rest. */
export const busy = (detail: string): Refusal => new Refusal({ code: 'ERR0502', detail, why: 'busy' });
