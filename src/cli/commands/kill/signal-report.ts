// Reports a signal or reload to the user, and to the supervisor, which records it. The signal does not need
// the supervisor, so the command waits only briefly for the supervisor's answer.
import { ClientFailure } from '../../../client/client-failure.ts';
import { connectIfRunning } from '../../../client/wait-for-supervisor.ts';
import type { Running } from './running-services.ts';
import type { Context } from '../../context.ts';
import { printDone } from '../../print.ts';
import type { Became, ServiceAct } from '../../../streams/domain/command.ts';
import { messageOf } from '../../../streams/domain/errors/thrown.ts';
import { shownId } from '../../../streams/domain/ids.ts';
import { errorDocument } from '../../../streams/views/errors/error-text.ts';
import { Failure } from '../../../streams/views/errors/command-failure.ts';
import { EXIT, type CommandStatus } from '../../../streams/wire/command-exit-status.ts';

export interface Attempt {
  readonly target: Running;
  /** What was done, as a sentence such as `SIGHUP sent to shop/web (pid 17)`. */
  readonly done: string;
  /** Why the signal or reload failed; `undefined` if it succeeded. */
  readonly refusal: string | undefined;
  readonly warnings: readonly string[];
}

export const sent = ({ service, process }: Running, signal: string): string =>
  `${signal} sent to ${shownId(service.spec.id)} (pid ${process.pid})`;

/** Prints the results of all signals or reloads. Throws ERR0119 if one of them failed. */
export const tell = (
  context: Context,
  attempts: readonly Attempt[],
  { command, what }: { readonly command: 'kill' | 'reload'; readonly what: Became },
): CommandStatus => {
  const refusals = attempts.flatMap(({ refusal }) => refusal ?? []);
  const beside = attempts.filter(({ refusal }) => refusal === undefined).map(({ done }) => done);
  // Several services may have the same warnings; each different warning is printed once.
  const warnings = [...new Set(attempts.flatMap((one) => one.warnings))];
  if (refusals.length > 0) {
    const detail = [...refusals, ...beside].join('; ');
    throw new Failure(errorDocument({ code: 'ERR0119', detail }), 'failed', warnings);
  }
  const outcomes = attempts.map(({ target }) => ({ service: target.service.spec.id, what }));
  printDone(context, { outcomes, warnings }, { command, beside });
  return EXIT.done;
};

const PATIENCE_MS = 1_000;

const tellSupervisor = async (dataDir: string, acts: readonly ServiceAct[]): Promise<void> => {
  const client = await connectIfRunning(dataDir, PATIENCE_MS);
  try {
    await client?.call('command', { type: 'acted', acts }, { timeoutMs: PATIENCE_MS });
  } finally {
    client?.close();
  }
};

/**
 * Asks the supervisor to record signals or reloads. If it does not record them, resolves to a warning; never
 * rejects.
 */
export const remembered = async (
  { dataDir }: Context,
  acts: readonly ServiceAct[],
): Promise<readonly string[]> => {
  if (acts.length === 0) return [];
  try {
    await tellSupervisor(dataDir, acts);
    return [];
  } catch (error) {
    const why = error instanceof ClientFailure ? error.document.message : messageOf(error);
    return [`it will not stand in the history: ${why}`];
  }
};
