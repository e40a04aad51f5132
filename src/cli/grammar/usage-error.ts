// Errors for a command line that is invalid (exit status 2).
import { Failure } from '../../streams/views/errors/command-failure.ts';

export const usageError = (message: string, hint: string): Failure =>
  new Failure({ code: 'ERR0200', message, path: null, at: null, hint }, 'usage');

/** Returns the error for two options or words that exclude each other. */
export const exclusive = (message: string, hint: string): Failure =>
  new Failure({ code: 'ERR0204', message, path: null, at: null, hint }, 'usage');
