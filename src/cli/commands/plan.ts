// `sup plan` and `sup apply --dry-run`: show what an apply would change. Exit status: 0 nothing, 2 something.
import type { Selection } from '../../streams/domain/command.ts';
import type { Plan } from '../../streams/domain/plan.ts';
import { maskedPlan } from '../../streams/views/words/masked-text.ts';
import { planning } from '../client/activities.ts';
import { connect, type Client } from '../client/client.ts';
import { runCommand } from '../client/run-command.ts';
import type { Context } from '../context.ts';
import { EXIT, type ExitStatus } from '../../streams/wire/exit-status.ts';
import type { Parsed } from '../grammar/parsed.ts';
import { usageError } from '../grammar/usage.ts';
import type { Handler } from '../handler.ts';
import { printDocument, printLines, printWarnings } from '../print.ts';
import { paintOf } from '../../streams/views/words/paint.ts';
import { isSomething, noPlanLines, planDocument, planLines } from '../render/lines/plan-lines.ts';
import { deployedSelection } from '../selection/selection.ts';

interface Shown {
  readonly plan: Plan;
  readonly selection: Selection;
}

const linesOf = async (
  context: Context,
  client: Client,
  { plan, selection }: Shown,
): Promise<readonly string[]> =>
  isSomething(plan)
    ? planLines(plan, paintOf(context.colorOn(context.world.stdout)))
    : noPlanLines(await client.call('status', selection), context);

/** Throws ERR0200 if a pipe or file would receive values. */
const showsValues = ({ flags }: Parsed, { world }: Context): boolean => {
  const isAsked = flags.has('show-values');
  if (isAsked && !world.stdout.terminal)
    throw usageError('--show-values shows values on a terminal only', 'sup plan');
  return isAsked;
};

export const showPlan = async (
  parsed: Parsed,
  context: Context,
  selection: Selection,
): Promise<ExitStatus> => {
  const isShown = showsValues(parsed, context);
  const client = await connect(context.dataDir);
  try {
    const command = { type: 'plan', selection } as const;
    const done = await runCommand(context, client, { command, activity: planning(selection) });
    const { plan: found = { changes: [] }, warnings } = done;
    const plan = isShown ? found : maskedPlan(found);
    printWarnings(context, warnings);
    if (context.json) printDocument(context, planDocument(plan, warnings));
    else printLines(context, await linesOf(context, client, { plan, selection }));
    return isSomething(plan) ? EXIT.changes : EXIT.done;
  } finally {
    client.close();
  }
};

export const plan: Handler = (parsed, context) =>
  showPlan(parsed, context, deployedSelection(parsed, context, 'planning'));
