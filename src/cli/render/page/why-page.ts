// The page of `sup why`. Services with the same root causes form a group, so that each cause is printed once.
import { evidenceRows, historyText } from './page-rows.ts';
import { hanging } from '../paragraphs.ts';
import { pasted, type Whose } from '../pasteable-hints.ts';
import { STATE_INK } from '../service-columns.ts';
import { between, instant, type Instant, lengthText } from '../../../streams/domain/time.ts';
import { shownLine } from '../../../streams/views/words/foreign-text.ts';
import type { Paint } from '../../../streams/views/words/paint.ts';
import type { TransitionDocument } from '../../../streams/wire/documents/documents.ts';
import type {
  WhyAction,
  WhyDocument,
  WhyRoot,
  WhyService,
  WhyStep,
} from '../../../streams/wire/documents/why-document.ts';
import { shownName } from '../../../client/live-model.ts';
import type { StateWord } from '../../../streams/wire/documents/basic-documents.ts';

interface WhyGroup {
  /** The service of the group with the shortest causal chain. Only this chain is printed. */
  readonly first: WhyService;
  /** The other services of the group. Only their states are printed. */
  readonly others: readonly WhyService[];
}

const rootsOf = ({ roots }: WhyService): string =>
  roots
    .map(({ service }) => service)
    .toSorted()
    .join(' ');

const byRoots = (services: readonly WhyService[]): readonly (readonly WhyService[])[] => {
  const groups = new Map<string, WhyService[]>();
  for (const service of services) {
    const key = rootsOf(service);
    const members = groups.get(key) ?? [];
    groups.set(key, [...members, service]);
  }
  return [...groups.values()];
};

/** Groups services with the same root causes. The groups are in the order of their first services. */
const whyGroups = (services: readonly WhyService[]): readonly WhyGroup[] =>
  byRoots(services).flatMap((members) => {
    const [first, ...others] = members.toSorted((one, other) => one.chain.length - other.chain.length);
    return first === undefined ? [] : [{ first, others }];
  });

/** Removes root causes and suggested commands that an earlier group already has. */
const withoutRepeats = (groups: readonly WhyGroup[]): readonly WhyGroup[] => {
  const seen = new Set<string>();
  const isNew = (key: string): boolean => {
    const known = seen.has(key);
    seen.add(key);
    return !known;
  };
  return groups.map(({ first, others }) => {
    const roots = first.roots.filter(({ service }) => isNew(service));
    const actions = first.actions.filter(({ command }) => isNew(command));
    return { first: { ...first, roots, actions }, others };
  });
};

interface WhyLook extends Whose {
  readonly paint: Paint;
  readonly now: Instant;
  /** Width of the terminal; `undefined` if the output is no terminal. */
  readonly columns: number | undefined;
}

/** The words that some states need before them in a sentence with `has been`, such as `a casualty`. */
const ARTICLES: Partial<Record<StateWord, string>> = { backoff: 'in ', casualty: 'a ' };

const forWords = ({ since }: WhyStep, now: Instant): string =>
  since === null ? '' : ` for ${lengthText(between(instant(Date.parse(since)), now))} (since ${since})`;

/** Returns the text about the event that led to the state; empty if the reason already contains this text. */
const eventWords = ({ event, reason }: WhyStep): string =>
  event === null || reason?.includes(event) === true ? '' : `; last change: ${shownLine(event)}`;

/**
 * Returns the lines of one step. Wraps the text before it adds colours, because the escape sequences of
 * colours have no width.
 */
const stepLines = (step: WhyStep, link: string, { paint, now, columns }: WhyLook): readonly string[] => {
  const { state, service } = step;
  const name = shownName(service);
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
  ...(history.length === 0 ? [] : [`  ${look.paint('dim', `what happened to ${shownName(service)}`)}`]),
  ...history.flatMap((move) => moveLines(move, look)),
  ...(printed.length === 0 ? [] : [`  ${look.paint('dim', `what ${shownName(service)} printed last`)}`]),
  ...evidenceRows(printed).map((row) => `    ${row}`),
  ...adviceLines(advice, look),
];

const actionLines = (actions: readonly WhyAction[], { paint }: WhyLook): readonly string[] => {
  const width = Math.max(0, ...actions.map(({ command }) => command.length));
  return actions.map(({ command, meaning }) => `    ${paint('cyan', command.padEnd(width))}  ${meaning}`);
};

/** Returns the names of further services, grouped by state, so that many services take few lines. */
const alsoLines = (others: readonly WhyService[], { paint, columns }: WhyLook): readonly string[] => {
  const states = [...new Set(others.map(({ state }) => state))];
  const width = Math.max(0, ...states.map((state) => state.length));
  const rows = states.flatMap((state) => {
    const names = others
      .filter((one) => one.state === state)
      .map((one) => shownName(`${one.project}/${one.service}`));
    const lines = hanging(`    ${state.padEnd(width)}  `, names.join(', '), columns);
    return lines.map((line) => line.replace(`    ${state}`, `    ${paint(STATE_INK[state], state)}`));
  });
  return rows.length === 0 ? rows : [`  ${paint('dim', 'also affected')}`, ...rows];
};

const alertLines = ({ undelivered_alerts: lost = [] }: WhyService, look: WhyLook): readonly string[] => [
  ...(lost.length === 0 ? [] : [`  ${look.paint('dim', 'alerts that did not arrive')}`]),
  ...lost.flatMap(({ at, cause, error }) =>
    hanging(`    ${at}  `, shownLine(`${cause}: ${error.message}`), look.columns),
  ),
];

const groupLines = ({ first, others }: WhyGroup, look: WhyLook): readonly string[] => [
  ...chainLines(first.chain, look),
  ...alsoLines(others, look),
  ...first.roots.flatMap((root) => rootLines(root, look)),
  ...alertLines(first, look),
  `  ${look.paint('dim', 'next')}  ${pasted(shownLine(first.next.text), look)}`,
  ...(first.actions.length === 0 ? [] : [`  ${look.paint('dim', 'what you can do')}`]),
  ...actionLines(first.actions, look),
];

/** Returns the page, one string per line. A root cause is printed once for all services that it affects. */
export const whyLines = ({ services }: WhyDocument, look: WhyLook): readonly string[] =>
  withoutRepeats(whyGroups(services)).flatMap((group, index) => [
    ...(index === 0 ? [] : ['']),
    ...groupLines(group, look),
  ]);
