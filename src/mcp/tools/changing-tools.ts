// The tools that change services. Each tool first checks that the rules of `--allow` permit all its changes.
import { setInterval as every } from 'node:timers/promises';
import { hashOfPlan } from '../../client/api/plan-hash.ts';
import type { CommandLimits, Sup } from '../../client/api/sup-interface.ts';
import { shownName } from '../../client/live-model.ts';
import type { Selection } from '../../streams/domain/command.ts';
import { lengthText, ms } from '../../streams/domain/time.ts';
import { isPattern } from '../../streams/selection/match.ts';
import { failure } from '../../streams/views/errors/command-failure.ts';
import type { DoneDocument } from '../../streams/wire/documents/command-documents.ts';
import { type AgentChange, patternsFor, permitsAll } from '../changes/allow-rules.ts';
import { cleanDocument, textOf } from './clean-document.ts';
import { pageOf } from './paging.ts';
import { type Around, countText, notAllowed, SELECTING, type ToolAnswer, type AgentTool } from './tool.ts';
import { type Arguments, countIn, flagIn, namesIn, type Parameters, textIn } from './tool-arguments.ts';

const NAMED = { services: SELECTING.services } as const;

const PATIENT = {
  timeout_s: {
    ...({ type: 'count', least: 1, most: 3600, usual: 120 } as const),
    describe: 'Seconds to wait for the end of the command; after that it goes on by itself',
  },
} as const satisfies Parameters;

const patienceIn = (given: Arguments): { readonly timeoutMs: number } => ({
  timeoutMs: countIn(given, 'timeout_s', 120) * 1000,
});

/**
 * Returns the limits for a command: its timeout, and the patterns of the rules that permit it. The supervisor
 * refuses the command if it would change a service that no pattern matches, such as a dependency.
 */
const limitsIn = (change: AgentChange, given: Arguments, { rules }: Around): CommandLimits => ({
  ...patienceIn(given),
  within: patternsFor(rules, change),
});

const MOST_OUTCOMES = 100;

const doneAnswer = (done: DoneDocument): ToolAnswer => {
  const page = pageOf(done.services, MOST_OUTCOMES);
  const document = cleanDocument({ ...done, services: page.shown });
  const lines = [
    `${done.command}: ${page.total === 0 ? 'nothing to do' : countText(page.total, 'service')}`,
    ...document.services.map(({ service, what, down_ms: down }) => {
      const length = down === null ? '' : `, down for ${lengthText(ms(down))}`;
      return `${shownName(service)} ${what}${length}`;
    }),
    ...document.warnings.map((warning) => `warning: ${warning}`),
  ];
  return { text: textOf(lines), content: { document, total: page.total } };
};

/** Returns the names as `project/service`. A pattern, or a name with a project, is returned as it is. */
const exactNames = async (sup: Sup, written: readonly string[]): Promise<readonly string[]> => {
  const bare = written.filter((name) => !isPattern(name) && !name.includes('/'));
  if (bare.length === 0) return written;
  const { projects } = await sup.status({ services: bare });
  const ids = projects.flatMap(({ id, services }) => services.map(({ name }) => `${id}/${name}`));
  return [...written.filter((name) => !bare.includes(name)), ...ids];
};

/**
 * Resolves to the names to send to the supervisor. Rejects with ERR0241 if a name can mean a service that no
 * rule permits.
 */
const permitted = async (
  change: AgentChange,
  given: Arguments,
  { sup, rules }: Around,
): Promise<readonly string[]> => {
  const names = await exactNames(sup, namesIn(given, 'services') ?? []);
  const services = names.filter((name) => !permitsAll(rules, change, name)).map(shownName);
  if (services.length > 0) throw notAllowed(change, services);
  return names;
};

/** The time between two progress messages, ms. */
const PROGRESS_MS = 2_000;

/** Carries out a command. Meanwhile sends the states of the selected services to the client as progress. */
const withProgress = async (
  around: Around,
  selection: Selection,
  run: () => Promise<DoneDocument>,
): Promise<ToolAnswer> => {
  const { sup, progress, signal } = around;
  const over = new AbortController();
  const until = { signal: AbortSignal.any([over.signal, signal]) };
  const tell = async (): Promise<void> => {
    const ticks = every(PROGRESS_MS, undefined, until)[Symbol.asyncIterator]();
    while ((await ticks.next()).done !== true) {
      const { projects } = await sup.status(selection);
      const states = projects.flatMap(({ id, services }) =>
        services.map(({ name, state }) => `${shownName(`${id}/${name}`)} ${state}`),
      );
      progress(cleanDocument(states).slice(0, 10).join(', '));
    }
  };
  tell().catch(() => undefined);
  try {
    return doneAnswer(await run());
  } finally {
    over.abort();
  }
};

const START: AgentTool = {
  name: 'start',
  title: 'Start services',
  describe: 'Starts services and what they depend on, and waits until they are ready. Document: sup.done/1.',
  takes: { ...NAMED, ...PATIENT },
  required: ['services'],
  effect: 'changes',
  run: async (given, around) => {
    const selection = { services: await permitted('start', given, around) };
    const limits = limitsIn('start', given, around);
    return withProgress(around, selection, () => around.sup.start(selection, limits));
  },
};

const STOP: AgentTool = {
  name: 'stop',
  title: 'Stop services',
  describe: 'Stops services and waits until all their processes are gone. Document: sup.done/1.',
  takes: { ...NAMED, ...PATIENT },
  required: ['services'],
  effect: 'destroys',
  run: async (given, around) => {
    const selection = { services: await permitted('stop', given, around) };
    return withProgress(around, selection, () => around.sup.stop(selection, patienceIn(given)));
  },
};

const RESTART: AgentTool = {
  name: 'restart',
  title: 'Restart services',
  describe:
    'Restarts services one after another, by their strategy, and waits until they are ready. Dependents go on unless with_dependents is true. Document: sup.done/1.',
  takes: {
    ...NAMED,
    with_dependents: { type: 'flag', describe: 'Also the services that depend on them, directly or not' },
    ...PATIENT,
  },
  required: ['services'],
  effect: 'destroys',
  run: async (given, around) => {
    const selection = { services: await permitted('restart', given, around) };
    const withDependents = flagIn(given, 'with_dependents');
    const limits = { ...limitsIn('restart', given, around), withDependents };
    return withProgress(around, selection, () => around.sup.restart(selection, limits));
  },
};

const ROLLBACK: AgentTool = {
  name: 'rollback',
  title: 'Go back to the last declaration that worked',
  describe: 'Returns services to the declaration before the present one. Document: sup.done/1.',
  takes: { ...NAMED, ...PATIENT },
  required: ['services'],
  effect: 'destroys',
  run: async (given, around) => {
    const selection = { services: await permitted('rollback', given, around) };
    return withProgress(around, selection, () => around.sup.rollback(selection, patienceIn(given)));
  },
};

const SCALE: AgentTool = {
  name: 'scale',
  title: 'Set the number of instances',
  describe:
    'Sets the number of instances of a service with replicas; the highest numbers stop first. Document: sup.done/1.',
  takes: {
    service: { type: 'text', describe: 'The service: web, shop/web' },
    replicas: { type: 'count', describe: 'The number of instances', least: 1, most: 1000 },
    ...PATIENT,
  },
  required: ['service', 'replicas'],
  effect: 'destroys',
  run: async (given, around) => {
    const written = textIn(given, 'service') ?? '';
    const [service = written] = await permitted('scale', { services: [written] }, around);
    const group = service.replace(/@\d+$/, '');
    const counts = { [group]: countIn(given, 'replicas', 1) };
    return withProgress(around, { services: [group] }, () => around.sup.scale(counts, patienceIn(given)));
  },
};

const APPLY: AgentTool = {
  name: 'apply',
  title: 'Apply a plan that was shown',
  describe:
    'Applies changed manifests: exactly the plan with this hash, from the tool plan in this session. Refused if that is no longer what would be done. Document: sup.done/1.',
  takes: { plan: { type: 'text', describe: 'The hash in the result of plan' }, ...PATIENT },
  required: ['plan'],
  effect: 'destroys',
  run: async (given, around) => {
    const { sup, rules, plans } = around;
    const hash = textIn(given, 'plan') ?? '';
    const selection = plans.selectionOf(hash);
    if (selection === undefined) throw failure({ code: 'ERR0242', plan: hash });
    const plan = await sup.plan(selection, { showValues: true });
    if (hashOfPlan(plan, selection) !== hash) throw failure({ code: 'ERR0242', plan: hash, isOld: true });
    // A change of the supervisor's own settings affects all services, so the rules must permit it for all.
    if (plan.tables.length > 0 && !permitsAll(rules, 'apply', '*'))
      throw notAllowed('apply', ['the supervisor']);
    const limits = limitsIn('apply', given, around);
    return withProgress(around, selection, () => sup.apply(selection, limits));
  },
};

export const CHANGING: Readonly<Record<AgentChange, AgentTool>> = {
  start: START,
  stop: STOP,
  restart: RESTART,
  scale: SCALE,
  apply: APPLY,
  rollback: ROLLBACK,
};
