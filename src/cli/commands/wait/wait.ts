// `sup wait`: waits until services reach a goal. Exit status: 0 if all services reached the goal, 1 if a
// service can never reach it, 124 after a timeout.
import { serviceId, projectId, shownId } from '../../../streams/domain/ids.ts';
import { GOALS, type Goal, type WaitDocument } from '../../../streams/wire/documents/wait-document.ts';
import { connectIfRunning } from '../../../client/wait-for-supervisor.ts';
import { UNCHECKED } from '../../../client/wait/await-services.ts';
import { waitFor } from '../../../client/wait/wait-for.ts';
import type { Context, Handler } from '../../context.ts';
import { EXIT, type CommandStatus } from '../../../streams/wire/command-exit-status.ts';
import { usageError } from '../../grammar/usage-error.ts';
import { lengthArgument } from '../../grammar/argument-values.ts';
import { valueOf, type Parsed } from '../../grammar/parsed-line.ts';
import { printDocument, printLines } from '../../print.ts';
import { shownLine } from '../../../streams/views/words/foreign-text.ts';
import { paintOf } from '../../../streams/views/words/paint.ts';
import { STATE_INK } from '../../render/service-columns.ts';
import { selectionOf } from '../../selection.ts';

const isGoal = (word: string): word is Goal => GOALS.some((goal) => goal === word);

const goalOf = (parsed: Parsed): Goal => {
  const written = valueOf(parsed, 'for') ?? 'running';
  if (isGoal(written)) return written;
  throw usageError(`--for "${written}" is nothing to wait for`, `--for ${GOALS.join(', or --for ')}`);
};

const print = (context: Context, document: WaitDocument): void => {
  if (context.json) return printDocument(context, document);
  if (context.quiet) return;
  const paint = paintOf(context.colorOn(context.world.stdout));
  const lines = document.services.map(({ project, service, state, verdict, reason }) => {
    const name = shownId(serviceId(projectId(project), service));
    const word = state === null ? 'not declared any more' : paint(STATE_INK[state], state);
    const why = verdict === 'reached' || reason === null ? '' : `: ${shownLine(reason)}`;
    const more = verdict === 'reached' || reason === UNCHECKED ? '' : ` (sup why ${name})`;
    return `${name} is ${word}${why}${more}`;
  });
  printLines(context, lines);
};

const statusOf = ({ reached, timed_out: timedOut }: WaitDocument): CommandStatus => {
  if (reached) return EXIT.done;
  return timedOut ? EXIT.timedOut : EXIT.failed;
};

export const wait: Handler = async (parsed, context) => {
  const written = valueOf(parsed, 'timeout');
  const document = await waitFor(
    { place: context, open: (patience) => connectIfRunning(context.dataDir, patience) },
    {
      goal: goalOf(parsed),
      timeout: written === undefined ? undefined : lengthArgument('--timeout', written),
      selection: selectionOf(parsed, context),
    },
  );
  print(context, document);
  return statusOf(document);
};
