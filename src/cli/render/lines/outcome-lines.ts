// What a command did, for people: a line for each thing that became of services, counted and named.
import type { Became, Outcome } from '../../../streams/domain/command.ts';
import { shownId } from '../../../streams/domain/ids.ts';
import { lengthText } from '../../../streams/views/words/length-text.ts';

/** In the order in which they are told. */
const WORDS: Readonly<Record<Became, string>> = {
  started: 'started',
  restarted: 'restarted',
  stopped: 'stopped',
  removed: 'removed',
  signalled: 'signalled',
  reloaded: 'reloaded',
  done: 'done',
  scheduled: 'scheduled',
  running: 'already running',
  'down-before': 'down already',
  'done-before': 'done before',
  skipped: 'skipped',
  failed: 'failed meanwhile',
};

const named = ({ service, down }: Outcome): string =>
  `${shownId(service)}${down === undefined ? '' : ` (down ${lengthText(down)})`}`;

/** `a, b and 3 more`. */
const listed = (names: readonly string[], most: number): string => {
  const more = names.length - most;
  return more > 0 ? `${names.slice(0, most).join(', ')} and ${more} more` : names.join(', ');
};

export const counted = (number: number): string => (number === 1 ? '1 service' : `${number} services`);

/** `2 services started: web, db`; of each kind so many are named. */
export const outcomeLines = (outcomes: readonly Outcome[], most: number): readonly string[] =>
  Object.entries(WORDS).flatMap(([became, word]) => {
    const those = outcomes.filter(({ what }) => what === became);
    if (those.length === 0) return [];
    return [`${counted(those.length)} ${word}: ${listed(those.map(named), most)}`];
  });
