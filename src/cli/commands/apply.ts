// `sup apply`: checks the manifests (ERR0301), then changes the services to what the manifests declare.
// Starts a supervisor if none runs. `sup plan` and `sup apply --dry-run` only show the changes. Their exit
// status is 2 if there are changes, otherwise 0.
import { applying, planning } from '../client/progress-texts.ts';
import { type Client, connect } from '../../client/client.ts';
import { runCommand, tellRolledBack } from '../client/run-command.ts';
import type { Context, Handler } from '../context.ts';
import type { Parsed } from '../grammar/parsed-line.ts';
import { usageError } from '../grammar/usage-error.ts';
import { supervisorFor } from '../manifest-to-start.ts';
import { printDocument, printDone, printLines, printWarnings } from '../print.ts';
import { isSomething, noPlanLines, planLines, takenUpLines } from '../render/plan-lines.ts';
import { planDocument } from '../../streams/views/done-document.ts';
import { deployedSelection } from '../selection.ts';
import type { Selection } from '../../streams/domain/command.ts';
import type { Plan } from '../../streams/domain/apply-plan.ts';
import { maskedPlan } from '../../streams/views/words/masked-text.ts';
import { paintOf } from '../../streams/views/words/paint.ts';
import { EXIT, type CommandStatus } from '../../streams/wire/command-exit-status.ts';

interface PlanToShow {
  readonly plan: Plan;
  readonly selection: Selection;
}

const linesOf = async (
  context: Context,
  client: Client,
  { plan, selection }: PlanToShow,
): Promise<readonly string[]> =>
  isSomething(plan)
    ? planLines(plan, paintOf(context.colorOn(context.world.stdout)))
    : noPlanLines(await client.call('status', selection), context);

/** True if `--show-values` was given. Throws ERR0200 without a terminal, to keep secrets out of files. */
const showsValues = ({ flags }: Parsed, { world }: Context): boolean => {
  const isAsked = flags.has('show-values');
  if (isAsked && !world.stdout.terminal)
    throw usageError('--show-values shows values on a terminal only', 'sup plan');
  return isAsked;
};

const showPlan = async (parsed: Parsed, context: Context, selection: Selection): Promise<CommandStatus> => {
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

export const apply: Handler = async (parsed, context) => {
  const selection = deployedSelection(parsed, context, 'applying');
  if (parsed.flags.has('dry-run')) return showPlan(parsed, context, selection);
  const client = await supervisorFor(context, { selection });
  try {
    await tellRolledBack(context, client, selection);
    const command = { type: 'apply', selection } as const;
    const done = await runCommand(context, client, { command, activity: applying(selection) });
    const beside = takenUpLines(done.tables ?? []);
    const none = beside.length > 0 ? '0 services changed' : 'no changes';
    printDone(context, done, { command: 'apply', beside, none });
    return EXIT.done;
  } finally {
    client.close();
  }
};
