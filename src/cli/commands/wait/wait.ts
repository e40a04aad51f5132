// `sup wait`: waits until services reach a goal. Exit status: 0 if they did, 1 if one never will, 124 after a
// timeout.
import type { Selection } from '../../../streams/domain/command.ts';
import { serviceId, projectId, shownId } from '../../../streams/domain/ids.ts';
import { startTicksOf } from '../../../os/proc/process-stat.ts';
import { GOALS, type Goal, type WaitDocument } from '../../../streams/wire/documents/wait-document.ts';
import type { Client } from '../../../client/client.ts';
import { isGone, isSilent } from '../../../client/client-failure.ts';
import { connectIfRunning } from '../../../client/find-supervisor.ts';
import type { Context, Handler } from '../../context.ts';
import { EXIT, type CommandStatus } from '../../../streams/wire/exit-status.ts';
import { Failure, failure } from '../../../streams/views/errors/command-failure.ts';
import { usageError } from '../../grammar/usage-error.ts';
import { lengthArgument } from '../../grammar/argument-values.ts';
import { valueOf, type Parsed } from '../../grammar/parsed-line.ts';
import { printDocument, printLines } from '../../print.ts';
import { shownLine } from '../../../streams/views/words/foreign-text.ts';
import { paintOf } from '../../../streams/views/words/paint.ts';
import { STATE_INK } from '../../render/service-columns.ts';
import { selectionOf } from '../../selection.ts';
import {
  awaited,
  goneBy,
  isReached,
  settled,
  stoppedByRecord,
  UNCHECKED,
  type Waited,
} from './await-services.ts';

interface Wish {
  readonly goal: Goal;
  readonly selection: Selection;
  /** How long to wait, ms; absent: without limit. */
  readonly timeout: number | undefined;
}

/** Bounds for waiting for the supervisor's answer, ms; between them `--timeout` counts. */
const LEAST_MS = 800;
const LONGEST_MS = 5_000;

const patienceOf = ({ timeout = LONGEST_MS }: Wish): number =>
  Math.min(Math.max(timeout, LEAST_MS), LONGEST_MS);

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

/** Waits until services reach the goal; `undefined` if the supervisor ends before. */
const withSupervisor = async (client: Client, wish: Wish): Promise<Waited | undefined> => {
  const { pid } = client.hello;
  const supervisor = { pid, startTicks: startTicksOf(pid) };
  try {
    return await settled(client, await awaited(client, wish, patienceOf(wish)), wish.timeout);
  } catch (thrown) {
    if (!isGone(thrown)) throw thrown;
    await goneBy(supervisor);
    return undefined;
  } finally {
    client.close();
  }
};

/** Resolves to the outcome if the records decide it; otherwise rejects with ERR0206. */
const withoutSupervisor = async (
  context: Context,
  { goal, selection }: Wish,
  hadOne: boolean,
): Promise<Waited> => {
  const services = goal === 'stopped' ? await stoppedByRecord(context, selection) : undefined;
  if (services !== undefined) return { services, timedOut: false };
  const { dataDir } = context;
  throw failure({ code: 'ERR0206', dataDir, ...(hadOne && { command: 'wait' }) });
};

/** Returns the wait request with only the time that still remains. */
const leftOf = (wish: Wish, began: number): Wish => ({
  ...wish,
  timeout: wish.timeout && Math.max(wish.timeout - (performance.now() - began), 0),
});

/** Waits for the goal, again for the rest of the time after a restart of the supervisor. */
const asked = async (context: Context, wish: Wish): Promise<Waited> => {
  const began = performance.now();
  for (let hadOne = false; ; hadOne = true) {
    const left = leftOf(wish, began);
    const client = await connectIfRunning(context.dataDir, patienceOf(left));
    const waited = client && (await withSupervisor(client, left));
    if (waited !== undefined) return waited;
    if (client === undefined) return withoutSupervisor(context, wish, hadOne);
  }
};

/** Waits for the goal. If the time is over and the supervisor does not answer, the outcome is a timeout. */
const outcome = async (context: Context, wish: Wish): Promise<Waited> => {
  const began = performance.now();
  try {
    return await asked(context, wish);
  } catch (thrown) {
    const isLate = wish.timeout !== undefined && performance.now() - began >= wish.timeout;
    throw isLate && isSilent(thrown) ? new Failure(thrown.document, 'timedOut') : thrown;
  }
};

export const wait: Handler = async (parsed, context) => {
  const goal = goalOf(parsed);
  const written = valueOf(parsed, 'timeout');
  const timeout = written === undefined ? undefined : lengthArgument('--timeout', written);
  const wish = { goal, timeout, selection: selectionOf(parsed, context) };
  const { services, timedOut } = await outcome(context, wish);
  const reached = isReached(services);
  const document: WaitDocument = {
    schema: 'sup.wait/1',
    for: goal,
    reached,
    timed_out: timedOut && !reached,
    services,
  };
  print(context, document);
  return statusOf(document);
};
