// The error that represents no error: the restart policy also restarts a service that exited with 0.
import { isSuccess } from '../service/exit.ts';
import type { ServiceError } from './error.ts';

/** True if the restart follows a clean exit: ERR0101 with exit status 0. */
export const isCleanEnd = (error: ServiceError): boolean =>
  error.code === 'ERR0101' && isSuccess(error.status);
