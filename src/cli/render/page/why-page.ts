// Why services are as they are, for people.
import { projectId, serviceId, shownId } from '../../../streams/domain/ids.ts';
import { between, instant, lengthText, type Instant } from '../../../streams/domain/time.ts';
import type { StateWord, TransitionDocument } from '../../../streams/wire/documents/documents.ts';
import type {
  WhyAction,
  WhyDocument,
  WhyRoot,
  WhyService,
  WhyStep,
} from '../../../streams/wire/documents/why-document.ts';
import { evidenceRows } from './evidence-rows.ts';
import { whyGroups, withoutRepeats, type WhyGroup } from './why-groups.ts';
import { shownLine } from '../../../streams/views/words/foreign-text.ts';
import type { Paint } from '../../../streams/views/words/paint.ts';
import { pasted, type Whose } from '../pasted.ts';
import { historyText } from '../history-text.ts';
import { hanging } from '../hanging.ts';
import { STATE_INK } from '../table/service-columns.ts';

interface WhyLook extends Whose {
  readonly paint: Paint;
  readonly now: Instant;
  /** Width of the terminal; absent in a pipe. */
  readonly columns: number | undefined;
}

const nameOf = (id: string): string => {
  const [project = '', name = ''] = id.split('/');
  return shownId(serviceId(projectId(project), name));
};

/** Words before states that alone make no sentence with `has been`. */
const ARTICLES: Partial<Record<StateWord, string>> = { backoff: 'in ', casualty: 'a ' };

const forWords = ({ since }: WhyStep, now: Instant): string =>
  since === null ? '' : ` for ${lengthText(between(instant(Date.parse(since)), now))} (since ${since})`;

/** Returns what led to the state, unless its reason says so already. */
const eventWords = ({ event, reason }: WhyStep): string =>
  event === null || reason?.includes(event) === true ? '' : `; last change: ${shownLine(event)}`;

/** Wraps the line before it adds colours, which have no width. */
const stepLines = (step: WhyStep, link: string, { paint, now, columns }: WhyLook): readonly string[] => {
  const { state, service } = step;
  const name = nameOf(service);
  const reason = step.reason === null ? '' : `: ${shownLine(step.reason)}`;
  const verb = `${step.since === null ? 'is' : 'has been'} ${ARTICLES[state] ?? ''}`;
  const text = `${name} ${verb}${state}${forWords(step, now)}${reason}${eventWords(step)}`;
  const painted = `${paint('bold', name)} ${verb}${paint(STATE_INK[state], state)}`;
  return hanging(link, text, columns).map((line) => line.replace(`${name} ${verb}${state}`, painted));
};

const chainLines = (chain: readonly WhyStep[], look: WhyLook): readonly string[] =>
  chain.flatMap((step, index) => stepLines(step, index === 0 ? '' : '  because ', look));

const moveLines = (entry: TransitionDocument, { columns }: WhyLook): readonly string[] =>
  hanging(`    ${entry.at}  `, shownLine(historyText(entry)), columns);

const adviceLines = (advice: string | null, look: WhyLook): readonly string[] =>
  advice === null ? [] : [`  ${look.paint('dim', 'advice')}  ${pasted(shownLine(advice), look)}`];

const rootLines = ({ service, history, printed, advice }: WhyRoot, look: WhyLook): readonly string[] => [
  ...(history.length === 0 ? [] : [`  ${look.paint('dim', `what happened to ${nameOf(service)}`)}`]),
  ...history.flatMap((move) => moveLines(move, look)),
  ...(printed.length === 0 ? [] : [`  ${look.paint('dim', `what ${nameOf(service)} printed last`)}`]),
  ...evidenceRows(printed).map((row) => `    ${row}`),
  ...adviceLines(advice, look),
];

const actionLines = (actions: readonly WhyAction[], { paint }: WhyLook): readonly string[] => {
  const width = Math.max(0, ...actions.map(({ command }) => command.length));
  return actions.map(({ command, meaning }) => `    ${paint('cyan', command.padEnd(width))}  ${meaning}`);
};

/** Lists names by state, so that many services with one cause take few lines. */
const alsoLines = (others: readonly WhyService[], { paint, columns }: WhyLook): readonly string[] => {
  const states = [...new Set(others.map(({ state }) => state))];
  const width = Math.max(0, ...states.map((state) => state.length));
  const rows = states.flatMap((state) => {
    const names = others
      .filter((one) => one.state === state)
      .map((one) => nameOf(`${one.project}/${one.service}`));
    const lines = hanging(`    ${state.padEnd(width)}  `, names.join(', '), columns);
    return lines.map((line) => line.replace(`    ${state}`, `    ${paint(STATE_INK[state], state)}`));
  });
  return rows.length === 0 ? rows : [`  ${paint('dim', 'also affected')}`, ...rows];
};

const groupLines = ({ first, others }: WhyGroup, look: WhyLook): readonly string[] => [
  ...chainLines(first.chain, look),
  ...alsoLines(others, look),
  ...first.roots.flatMap((root) => rootLines(root, look)),
  `  ${look.paint('dim', 'next')}  ${pasted(shownLine(first.next.text), look)}`,
  ...(first.actions.length === 0 ? [] : [`  ${look.paint('dim', 'what you can do')}`]),
  ...actionLines(first.actions, look),
];

/** Returns the page, one string per line. A root cause is printed once for all services it affects. */
export const whyLines = ({ services }: WhyDocument, look: WhyLook): readonly string[] =>
  withoutRepeats(whyGroups(services)).flatMap((group, index) => [
    ...(index === 0 ? [] : ['']),
    ...groupLines(group, look),
  ]);
