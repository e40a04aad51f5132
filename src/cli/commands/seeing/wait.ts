// `sup wait`: until services are where they should be. Exit status 0 they are, 1 one of them does not get there by itself
// any more, 124 the time is over.
import {
  projectOf,
  nameOf,
  serviceId,
  projectId,
  shownId,
  type ServiceId,
} from '../../../streams/domain/ids.ts';
import type { Selection } from '../../../streams/domain/command.ts';
import { waitVerdict } from '../../../streams/views/wait.ts';
import type { ProjectDocument } from '../../../streams/wire/documents.ts';
import { GOALS, type Goal, type WaitDocument } from '../../../streams/wire/wait-document.ts';
import { connect, type Client } from '../../client/client.ts';
import type { Context } from '../../context.ts';
import { EXIT, type ExitStatus } from '../../exit-status.ts';
import { usageError } from '../../grammar/usage.ts';
import { lengthArgument } from '../../grammar/length.ts';
import { valueOf, type Parsed } from '../../grammar/parsed.ts';
import type { Handler } from '../../handler.ts';
import { Failure } from '../../failure.ts';
import { printDocument, printLines } from '../../print.ts';
import { harmless, paintOf } from '../../render/paint.ts';
import { STATE_INK } from '../../render/table/service-columns.ts';
import { selectionOf } from '../../selection/selection.ts';
import { applyView, NOTHING, type LiveModel } from '../../watch/live-model.ts';

const isGoal = (word: string): word is Goal => GOALS.some((goal) => goal === word);

const goalOf = (parsed: Parsed): Goal => {
  const written = valueOf(parsed, 'for') ?? 'running';
  if (isGoal(written)) return written;
  throw usageError(`--for "${written}" is nothing to wait for`, `--for ${GOALS.join(', or --for ')}`);
};

interface Awaited {
  readonly goal: Goal;
  readonly ids: readonly ServiceId[];
  /** Those that have a health check. */
  readonly checked: ReadonlySet<ServiceId>;
}

const idsIn = (projects: readonly ProjectDocument[]): readonly ServiceId[] =>
  projects.flatMap(({ id, services }) => services.map(({ name }) => serviceId(projectId(id), name)));

const awaited = async (client: Client, selection: Selection, goal: Goal): Promise<Awaited> => {
  if (goal !== 'healthy') {
    const { projects } = await client.call('status', selection);
    return { goal, ids: idsIn(projects), checked: new Set() };
  }
  const { services } = await client.call('inspect', selection);
  const idOf = (one: (typeof services)[number]): ServiceId => serviceId(projectId(one.project), one.name);
  const checked = services.filter(({ health_check: check }) => check !== null);
  return { goal, ids: services.map(idOf), checked: new Set(checked.map(idOf)) };
};

type Judged = WaitDocument['services'];

const judged = ({ services }: LiveModel, { goal, ids, checked }: Awaited): Judged =>
  ids.map((id) => {
    const service = services.get(id);
    const neighbour = (name: string): ReturnType<typeof services.get> =>
      services.get(serviceId(projectOf(id), name));
    const verdict = waitVerdict(service, { goal, neighbour, isChecked: checked.has(id) });
    const { state = null, health = 'unknown', reason = null } = service ?? {};
    return { project: projectOf(id), service: nameOf(id), state, health, verdict, reason };
  });

const isSettled = (services: Judged): boolean =>
  services.every(({ verdict }) => verdict === 'reached') ||
  services.some(({ verdict }) => verdict === 'never');

/** Settles with the first picture in which it is decided, or with the last one when the time is over. */
const settled = (
  client: Client,
  whom: Awaited,
  timeout: number | undefined,
): Promise<{ readonly services: Judged; readonly timedOut: boolean }> =>
  new Promise((resolve, reject) => {
    let model = NOTHING;
    const timer =
      timeout === undefined
        ? undefined
        : setTimeout(() => resolve({ services: judged(model, whom), timedOut: true }), timeout);
    client.onView((view) => {
      model = applyView(model, view);
      const services = judged(model, whom);
      if (!isSettled(services)) return;
      clearTimeout(timer);
      resolve({ services, timedOut: false });
    });
    void client.ended.then((failed) => {
      if (failed !== undefined) reject(new Failure(failed.document));
    });
    client.call('watch', {}).catch(reject);
  });

const print = (context: Context, document: WaitDocument): void => {
  if (context.json) return printDocument(context, document);
  if (context.quiet) return;
  const paint = paintOf(context.colorOn(context.world.stdout));
  const lines = document.services.map(({ project, service, state, verdict, reason }) => {
    const name = shownId(serviceId(projectId(project), service));
    const word = state === null ? 'not declared any more' : paint(STATE_INK[state], state);
    const why = verdict === 'reached' || reason === null ? '' : `: ${harmless(reason)}`;
    const more = verdict === 'reached' ? '' : ` (sup why ${name})`;
    return `${name} is ${word}${why}${more}`;
  });
  printLines(context, lines);
};

const statusOf = ({ reached, timed_out: timedOut }: WaitDocument): ExitStatus => {
  if (reached) return EXIT.done;
  return timedOut ? EXIT.timedOut : EXIT.failed;
};

export const wait: Handler = async (parsed, context) => {
  const goal = goalOf(parsed);
  const written = valueOf(parsed, 'timeout');
  const timeout = written === undefined ? undefined : lengthArgument('--timeout', written);
  const client = await connect(context.dataDir);
  try {
    const whom = await awaited(client, selectionOf(parsed, context), goal);
    const { services, timedOut } = await settled(client, whom, timeout);
    const reached = services.every(({ verdict }) => verdict === 'reached');
    const document: WaitDocument = {
      schema: 'sup.wait/1',
      for: goal,
      reached,
      timed_out: timedOut && !reached,
      services,
    };
    print(context, document);
    return statusOf(document);
  } finally {
    client.close();
  }
};
