// The sentence at the top of the page: which services are well, and which need the user.
import { isFailing, isInTrouble } from '../../../streams/views/trouble.ts';
import type { ServiceRow } from '../../page-messages.ts';
import { shownIdOf } from './page-words.ts';

/** The most services in trouble that the sentence names. It only gives the number of further services. */
const MOST_NAMED = 3;

const exitPart = ({ last_exit: exit }: ServiceRow): string | undefined => {
  if (exit === null || exit.success) return undefined;
  return exit.code === null ? (exit.signal ?? undefined) : `exit ${exit.code}`;
};

const stateParts = (row: ServiceRow): readonly (string | undefined)[] => {
  const { state, restarts, max_restarts: most, because_of: causes } = row;
  if (state === 'backoff') return ['in backoff', exitPart(row), `${restarts} of ${most}`];
  if (state === 'casualty') return [`casualty of ${causes.map(shownIdOf).join(', ')}`];
  if (isFailing(state)) return [state, exitPart(row)];
  if (row.health === 'unhealthy') return ['unhealthy'];
  return [row.deploy.failed ? 'deploy failed' : state, row.error?.code];
};

/** Returns what is wrong with a service, such as `shop/api in backoff, exit 3, 2 of 8`. */
const troubleText = (row: ServiceRow): string =>
  `${shownIdOf(row.id)} ${stateParts(row)
    .filter((part) => part !== undefined)
    .join(', ')}`;

const counted = (words: readonly string[]): string => {
  const order = [...new Set(['running', ...words])];
  const counts = order.map((word) => [words.filter((one) => one === word).length, word] as const);
  return counts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ');
};

/** Returns the services in trouble, casualties last. */
const inTrouble = (rows: readonly ServiceRow[]): readonly ServiceRow[] => {
  const those = rows.filter(isInTrouble);
  return [
    ...those.filter(({ state }) => state !== 'casualty'),
    ...those.filter(({ state }) => state === 'casualty'),
  ];
};

interface FirstGlance {
  /** A text such as `14 running`; empty if no service is well. */
  readonly well: string;
  /** A text such as `1 needs you: …`; empty if no service is in trouble. */
  readonly need: string;
}

export const firstGlance = (rows: readonly ServiceRow[]): FirstGlance => {
  const trouble = inTrouble(rows);
  const well = counted(rows.filter((row) => !isInTrouble(row)).map(({ state }) => state));
  if (trouble.length === 0) return { well, need: '' };
  const named = trouble.slice(0, MOST_NAMED).map(troubleText).join('; ');
  const more = trouble.length > MOST_NAMED ? `; and ${trouble.length - MOST_NAMED} more` : '';
  return { well, need: `${needText(trouble.length)}: ${named}${more}` };
};

const needText = (count: number): string => `${count} ${count === 1 ? 'needs' : 'need'} you`;

/** Returns the title of the window, such as `14 running · sup` or `shop/api · 1 needs you · sup`. */
export const windowTitle = (rows: readonly ServiceRow[], service: string | undefined): string => {
  const trouble = rows.filter(isInTrouble).length;
  const running = rows.filter(({ state }) => state === 'running').length;
  return [
    ...(service === undefined ? [] : [shownIdOf(service)]),
    ...(rows.length === 0 ? [] : [trouble > 0 ? needText(trouble) : `${running} running`]),
    'sup',
  ].join(' · ');
};
