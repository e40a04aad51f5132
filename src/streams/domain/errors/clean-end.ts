// What stands in the place of an error where there is none: a policy starts again who exited with 0.
import { isSuccess } from '../service/exit.ts';
import type { ServiceError } from './error.ts';

/** Nothing went wrong: the policy starts it again after a clean end. */
export const isCleanEnd = (error: ServiceError): boolean =>
  error.code === 'ERR0101' && isSuccess(error.status);
