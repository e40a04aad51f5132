// Texts for the outcome of an action on a service, and for the changes of a plan.
import { lengthText, ms } from '../../../streams/domain/time.ts';
import type { ChangeDocument, OutcomeDocument } from '../../../streams/wire/documents/command-documents.ts';
import { shownIdOf } from './page-words.ts';

const WORDS: Partial<Record<OutcomeDocument['what'], string>> = {
  updated: 'updated without a restart',
  running: 'already running',
  'down-before': 'down already',
  'done-before': 'done before',
};

/** Returns a text such as `shop/api: restarted (down 1.2 s)`. */
export const outcomeText = ({ service, what, down_ms: down, keys }: OutcomeDocument): string => {
  const aside =
    keys === null ? (down === null ? '' : ` (down ${lengthText(ms(down))})`) : ` (${keys.join(', ')})`;
  return `${shownIdOf(service)}: ${WORDS[what] ?? what}${aside}`;
};

const downText = ({ action, down_ms: down, rest, waits_for: need }: ChangeDocument): string => {
  if (action === 'remove') return 'stops';
  if (need !== null) return `waits for ${shownIdOf(need)}, which does not run`;
  if (rest !== null) return rest === 'live' ? 'takes effect without a restart' : rest;
  if (action === 'add') return 'starts';
  if (down === null) return 'down for as long as it takes, which is not known yet';
  return down === 0 ? 'not down' : `down for about ${lengthText(ms(down))}`;
};

/** Returns a text such as `change, restart: down for about 1.2 s`. */
export const changeSummary = (change: ChangeDocument): string => {
  const how = change.action === 'change' && change.rest === null ? `, ${change.strategy}` : '';
  return `${change.action}${how}: ${downText(change)}`;
};
