// What to do next about an error of a service, given its declaration: a log that is not kept shows nothing.
import type { ServiceSpec } from '../../domain/declared/spec.ts';
import type { ServiceError } from '../../domain/errors/error.ts';
import { shownId } from '../../domain/ids.ts';
import { errorHint } from './error-hint.ts';
import { LOGS } from './service-hint.ts';

/** The hint of the error; if `logs.sink` is `none`, it names `sup inspect` instead of the log. */
export const serviceAdvice = (
  error: ServiceError,
  { id, logs }: Pick<ServiceSpec, 'id' | 'logs'>,
): string => {
  const hint = errorHint(error);
  const at = hint.indexOf(LOGS);
  return logs.sink === 'none' && at >= 0 ? `${hint.slice(0, at)}sup inspect ${shownId(id)}` : hint;
};
