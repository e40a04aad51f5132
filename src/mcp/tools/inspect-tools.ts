// The tools `inspect` and `plan`: everything about a service, and what `apply` would change.
import { shownName } from '../../client/live-model.ts';
import { ms, lengthText } from '../../streams/domain/time.ts';
import { maskedPlan } from '../../streams/views/words/masked-text.ts';
import type { ChangeDocument, PlanDocument } from '../../streams/wire/documents/command-documents.ts';
import type { InspectedService, SamplesDocument } from '../../streams/wire/documents/documents.ts';
import { cleanDocument, textOf, UNTRUSTED } from './clean-document.ts';
import { pageOf } from './paging.ts';
import { countText, SELECTING, selectionIn, type ToolAnswer, type AgentTool, UNANSWERED } from './tool.ts';
import { countIn } from './tool-arguments.ts';

const MOST_SERVICES = 5;
/** Maximum number of entries of a list in the document. The newest entries are kept. */
const MOST_ENTRIES = 20;
const MOST_POINTS = 60;

const shorter = <T>(list: readonly T[], most = MOST_ENTRIES): readonly T[] => list.slice(-most);

const shortSamples = (samples: SamplesDocument): SamplesDocument => ({
  ...samples,
  points: shorter(samples.points, MOST_POINTS),
});

/** Returns a copy of the service in which each list has only its newest entries. */
const shortened = (service: InspectedService): InspectedService => ({
  ...service,
  history: shorter(service.history),
  cron_runs: shorter(service.cron_runs, 10),
  rollouts: shorter(service.rollouts, 3),
  processes: service.processes === null ? null : service.processes.slice(0, MOST_ENTRIES),
  samples: service.samples === null ? null : shortSamples(service.samples),
});

const namesText = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '));

const inspectLines = (one: InspectedService): readonly string[] => [
  `${shownName(`${one.project}/${one.name}`)} ${one.state}, ${one.health}, run ${one.run}, pid ${one.pid ?? 'none'}`,
  ...(one.reason === null ? [] : [`  reason: ${one.reason}`]),
  `  command: ${typeof one.command === 'string' ? one.command : one.command.join(' ')}`,
  `  working directory: ${one.working_dir}`,
  `  depends on: ${namesText(one.depends_on.map(({ service }) => service))}`,
  `  dependents: ${namesText(one.dependents)}`,
  `  variables: ${namesText(one.env_keys)}`,
  ...one.history
    .slice(-5)
    .map(({ at, from, to, reason }) => `  ${at} ${from} -> ${to}${reason === null ? '' : `: ${reason}`}`),
];

export const INSPECT: AgentTool = {
  name: 'inspect',
  title: 'Everything about a service',
  describe: `Declaration, dependencies, history, last exit, rollouts, ports and processes of at most ${MOST_SERVICES} services; names of variables, never their values. ${UNTRUSTED} Document: sup.inspect/1.`,
  takes: {
    ...SELECTING,
    window_minutes: {
      ...{ type: 'count', least: 1, most: 1440 },
      describe: 'Also samples of processor and memory of so many minutes',
    },
  },
  required: ['services'],
  run: async (given, { sup }) => {
    const minutes = countIn(given, 'window_minutes', 0);
    const options = minutes === 0 ? {} : { windowMs: minutes * 60_000 };
    const found = await sup.inspect(selectionIn(given), options);
    const page = pageOf(found.services, MOST_SERVICES);
    const document = cleanDocument({ ...found, services: page.shown.map(shortened) });
    const rest = page.total - page.shown.length;
    const lines = [
      ...(found.supervisor.running ? [] : [UNANSWERED]),
      ...document.services.flatMap(inspectLines),
      ...(rest === 0 ? [] : [`${countText(rest, 'more service')}; select by name`]),
    ];
    return { text: textOf(lines), content: { document, total: page.total } };
  },
};

const MOST_CHANGES = 50;

const changeLine = ({ service, action, strategy, rest, down_ms: down, keys }: ChangeDocument): string => {
  const how = rest ?? (action === 'change' ? `new run, ${strategy}` : 'one process');
  const facts = [
    how,
    ...(down === null ? [] : [`down for about ${lengthText(ms(down))}`]),
    ...keys.map(({ key }) => key),
  ];
  return `${action} ${shownName(service)} (${facts.join('; ')})`;
};

/** Returns the answer about a plan. `hash`: an agent passes it to `apply` to apply this plan. */
const planAnswer = (plan: PlanDocument, hash: string): ToolAnswer => {
  const page = pageOf(plan.changes, MOST_CHANGES);
  const document = cleanDocument(maskedPlan({ ...plan, changes: page.shown }));
  const rest = page.total - page.shown.length;
  const isEmpty = plan.changes.length === 0 && plan.tables.length === 0;
  const lines = [
    isEmpty
      ? 'nothing to apply'
      : `changes of ${countText(plan.changes.length, 'service')}; hash of this plan: ${hash}`,
    ...document.changes.map(changeLine),
    ...(rest === 0 ? [] : [`and ${rest} more; select fewer services to see them`]),
    ...document.tables.map(({ key }) => `change of the supervisor: ${key}`),
    ...document.warnings.map((warning) => `warning: ${warning}`),
  ];
  return { text: textOf(lines), content: { document, plan: hash, total: page.total } };
};

export const PLAN: AgentTool = {
  name: 'plan',
  title: 'What apply would change',
  describe:
    'Reads the manifests again and says what apply would change, without changing anything. The result has the hash that apply needs. Document: sup.plan/1.',
  takes: SELECTING,
  run: async (given, { sup, plans }) => {
    const selection = selectionIn(given);
    const plan = await sup.plan(selection, { showValues: true });
    return planAnswer(plan, plans.show(selection, plan));
  },
};
