// Formats what a command did: one line for each kind of outcome, with a count and names.
import type { Became, Outcome } from '../../streams/domain/command.ts';
import { shownId } from '../../streams/domain/ids.ts';
import { listedText } from '../../streams/domain/listed-text.ts';
import { lengthText } from '../../streams/domain/time.ts';

/**
 * Maximum number of changed keys that are named for one service. Of further keys only the number is printed.
 */
const MOST_KEYS = 5;

/** Words for the outcomes, in the order in which they are printed. */
const WORDS: Readonly<Record<Became, string>> = {
  started: 'started',
  restarted: 'restarted',
  updated: 'updated without a restart',
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
};

const asideOf = ({ down, keys }: Outcome): string => {
  if (keys !== undefined) return ` (${listedText(keys, MOST_KEYS)})`;
  return down === undefined ? '' : ` (down ${lengthText(down)})`;
};

const named = (outcome: Outcome): string => `${shownId(outcome.service)}${asideOf(outcome)}`;

export const counted = (number: number): string => (number === 1 ? '1 service' : `${number} services`);

/** Returns a line for each kind of outcome, with at most `most` names: `2 services started: web, db`. */
export const outcomeLines = (outcomes: readonly Outcome[], most: number): readonly string[] =>
  Object.entries(WORDS).flatMap(([became, word]) => {
    const those = outcomes.filter(({ what }) => what === became);
    if (those.length === 0) return [];
    return [`${counted(those.length)} ${word}: ${listedText(those.map(named), most)}`];
  });
