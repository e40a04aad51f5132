// Result of a signal or a reload for each service. If any failed, the error lists the successes too.
import type { Became } from '../../../streams/domain/command.ts';
import { shownId } from '../../../streams/domain/ids.ts';
import { errorDocument } from '../../../streams/views/errors/error-text.ts';
import type { Context } from '../../context.ts';
import { EXIT, type ExitStatus } from '../../../streams/wire/exit-status.ts';
import { Failure } from '../../../streams/views/errors/failure.ts';
import { printDone } from '../../print.ts';
import type { Running } from './chosen.ts';

export interface Attempt {
  readonly target: Running;
  /** `SIGHUP sent to shop/web (pid 17)`. */
  readonly done: string;
  /** Why it was not done. */
  readonly refusal: string | undefined;
  readonly warnings: readonly string[];
}

export const sent = ({ service, process }: Running, signal: string): string =>
  `${signal} sent to ${shownId(service.spec.id)} (pid ${process.pid})`;

/** Throws ERR0119 if any was refused. */
export const tell = (
  context: Context,
  attempts: readonly Attempt[],
  { command, what }: { readonly command: 'kill' | 'reload'; readonly what: Became },
): ExitStatus => {
  const refusals = attempts.flatMap(({ refusal }) => refusal ?? []);
  const beside = attempts.filter(({ refusal }) => refusal === undefined).map(({ done }) => done);
  // Warnings come once per service; equal ones are printed once.
  const warnings = [...new Set(attempts.flatMap((one) => one.warnings))];
  if (refusals.length > 0) {
    const detail = [...refusals, ...beside].join('; ');
    throw new Failure(errorDocument({ code: 'ERR0119', detail }), 'failed', warnings);
  }
  const outcomes = attempts.map(({ target }) => ({ service: target.service.spec.id, what }));
  printDone(context, { outcomes, warnings }, { command, beside });
  return EXIT.done;
};
