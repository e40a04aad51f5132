// `sup status`: prints a table or a document. If the supervisor is gone or does not answer, it shows the
// records without waiting. Exit status: 0, 1 (a service is failing), 3 (no supervisor).
import type { Selection } from '../../../streams/domain/command.ts';
import type { StatusDocument } from '../../../streams/wire/documents/documents.ts';
import { ClientFailure } from '../../client/client-failure.ts';
import type { Context } from '../../context.ts';
import { connectIfRunning } from '../../client/ensure-supervisor.ts';
import { selectionOf } from '../../selection/selection.ts';
import type { Handler } from '../../handler.ts';
import type { ExitStatus } from '../../../streams/wire/exit-status.ts';
import { usageError } from '../../grammar/usage.ts';
import { exitOf, printStatus } from './print-status.ts';

/** After this time the records are shown instead. */
const ANSWER_MS = 800;

/** The supervisor's document; if it does not answer, the records and the cause. */
const look = async (context: Context, selection: Selection): Promise<StatusDocument> => {
  try {
    const client = await connectIfRunning(context.dataDir, ANSWER_MS);
    if (client === undefined) return await recorded(context, selection, undefined);
    try {
      return await client.call('status', selection, { timeoutMs: ANSWER_MS });
    } finally {
      client.close();
    }
  } catch (thrown) {
    const mute = thrown instanceof ClientFailure && ['ERR0205', 'ERR0206'].includes(thrown.document.code);
    if (!mute) throw thrown;
    return recorded(context, selection, thrown);
  }
};

const recorded = async (
  context: Context,
  selection: Selection,
  mute: ClientFailure | undefined,
): Promise<StatusDocument> => {
  const { offlineStatus } = await import('../../offline/offline-status.ts');
  const { code, message } = mute?.document ?? {};
  return offlineStatus(context, selection, code === 'ERR0205' ? `ERR0205 ${message ?? ''}` : undefined);
};

const lookOnce = async (context: Context, selection: Selection, onlyFailing = false): Promise<ExitStatus> => {
  const document = await look(context, selection);
  await printStatus(context, document, onlyFailing);
  return exitOf(document);
};

/**
 * On a pipe the reader is a program, so it gets documents, also if only one is shown. Throws ERR0200 for a
 * terminal that cannot be drawn on.
 */
const watchOn = async (context: Context, selection: Selection): Promise<ExitStatus> => {
  const { stdout, environment } = context.world;
  const shown = { ...context, json: context.json || !stdout.terminal };
  if (!shown.json && environment['TERM'] === 'dumb')
    throw usageError(
      'this terminal cannot be drawn on (TERM is dumb)',
      'sup status, or sup status --watch --json',
    );
  const { watchStatus } = await import('../../watch/watch-status.ts');
  return (await watchStatus(shown, selection)) ?? lookOnce(shown, selection);
};

export const status: Handler = async (parsed, context) => {
  const selection = selectionOf(parsed, context);
  if (parsed.flags.has('watch')) return watchOn(context, selection);
  return lookOnce(context, selection, parsed.flags.has('failed'));
};
