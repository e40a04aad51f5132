// `sup status`: prints a table or a document. If the supervisor does not answer quickly, the content comes
// from the records. Exit status: 3 if no supervisor answers, 1 if a service is in trouble, otherwise 0.
// Rules: `docs/behaviour.md`, "Control channel".
import { isInTrouble } from '../../streams/views/trouble.ts';
import { ClientFailure, isUnanswered } from '../../client/client-failure.ts';
import { connectIfRunning } from '../../client/wait-for-supervisor.ts';
import type { Context, Handler } from '../context.ts';
import { usageError } from '../grammar/usage-error.ts';
import { printDocument, printLines, printWarnings } from '../print.ts';
import { troubleLines } from '../render/page/trouble-page.ts';
import { isUnfolded } from '../render/grouped-rows.ts';
import { failingOnly, statusLines } from '../render/status-table.ts';
import { selectionOf } from '../selection.ts';
import type { Selection } from '../../streams/domain/command.ts';
import { paintOf } from '../../streams/views/words/paint.ts';
import type { StatusDocument } from '../../streams/wire/documents/documents.ts';
import { EXIT, type CommandStatus } from '../../streams/wire/command-exit-status.ts';
import { SYSTEM_DATA_DIR } from '../../os/choose-data-directory.ts';

export const exitOf = ({ supervisor, projects }: StatusDocument): CommandStatus => {
  // If the supervisor is running but its version is not known, it did not answer, and the document comes from
  // the records.
  if (!supervisor.running || supervisor.version === null) return EXIT.offline;
  const services = projects.flatMap((project) => project.services);
  return services.some(isInTrouble) ? EXIT.failed : EXIT.done;
};

/** True if a privileged supervisor also runs. Every user can see the name of its abstract socket. */
const isPrivilegedRunning = async ({ sys, dataDir }: Context): Promise<boolean> => {
  if (sys || dataDir === SYSTEM_DATA_DIR) return false;
  const { isHeldByName } = await import('../../sources/store/directory-hold.ts');
  return isHeldByName(SYSTEM_DATA_DIR);
};

interface StatusFilter {
  /** True if only services in trouble are printed. */
  readonly onlyFailing?: boolean;
  /** The names of services in the command line. */
  readonly names?: readonly string[] | undefined;
}

export const printStatus = async (
  context: Context,
  document: StatusDocument,
  { onlyFailing = false, names = [] }: StatusFilter = {},
): Promise<void> => {
  if (context.json) {
    printWarnings(context, document.supervisor.warnings);
    printDocument(context, onlyFailing ? failingOnly(document) : document);
    return;
  }
  const { stdout } = context.world;
  const { dataDir, sys } = context;
  const paint = paintOf(context.colorOn(stdout));
  const besidePrivileged = !document.supervisor.running && (await isPrivilegedRunning(context));
  const unfolded = isUnfolded(context, names);
  const shown = { onlyFailing, unfolded };
  const look = { paint, columns: stdout.columns(), now: Date.now(), dataDir, besidePrivileged, ...shown };
  printLines(context, [...statusLines(document, look), ...troubleLines(document, { paint, sys })]);
};

/** Timeout for the supervisor's answer, ms. If no answer arrives in this time, the records are shown. */
const ANSWER_MS = 800;

/**
 * Resolves to the supervisor's document. If no supervisor answers, resolves to a document from the records.
 * It has a warning if a supervisor runs but does not answer.
 */
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
    if (!isUnanswered(thrown)) throw thrown;
    return recorded(context, selection, thrown);
  }
};

const recorded = async (
  context: Context,
  selection: Selection,
  mute: ClientFailure | undefined,
): Promise<StatusDocument> => {
  const { recordedStatus } = await import('../../client/manifests/recorded-status.ts');
  const { code, message } = mute?.document ?? {};
  return recordedStatus(context, selection, code === 'ERR0205' ? `ERR0205 ${message ?? ''}` : undefined);
};

const lookOnce = async (
  context: Context,
  selection: Selection,
  onlyFailing = false,
): Promise<CommandStatus> => {
  const document = await look(context, selection);
  await printStatus(context, document, { onlyFailing, names: selection.services });
  return exitOf(document);
};

/**
 * Carries out `sup status --watch`. Without a terminal it prints JSON documents, but only one document if no
 * supervisor runs. Rejects with ERR0200 for a terminal that cannot be drawn on.
 */
const watchOn = async (context: Context, selection: Selection): Promise<CommandStatus> => {
  const { stdout, environment } = context.world;
  const shown = { ...context, json: context.json || !stdout.terminal };
  if (!shown.json && environment['TERM'] === 'dumb')
    throw usageError(
      'this terminal cannot be drawn on (TERM is dumb)',
      'sup status, or sup status --watch --json',
    );
  const { watchStatus } = await import('../watch/watch-status.ts');
  return (await watchStatus(shown, selection)) ?? lookOnce(shown, selection);
};

export const status: Handler = async (parsed, context) => {
  const selection = selectionOf(parsed, context);
  if (parsed.flags.has('watch')) return watchOn(context, selection);
  return lookOnce(context, selection, parsed.flags.has('failed'));
};
