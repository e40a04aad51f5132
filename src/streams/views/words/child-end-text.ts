// Why a child of a service has ended, in a few words.
import type { PastChild } from '../../domain/service/child.ts';
import { exitText } from '../../domain/service/exit.ts';
import { errorSentence } from '../../domain/errors/error-sentence.ts';

const ENDINGS: Readonly<Record<NonNullable<PastChild['ending']>, string>> = {
  stopped: 'stopped with its service',
  parent: 'ended with its parent',
  ttl: 'stopped: its --ttl was spent',
  memory: 'stopped: the tree was over spawn.limits.total_memory, and it was the newest',
};

/** The reason if the supervisor ended it; otherwise its error or exit status. */
export const childEndText = ({ ending, exit, error }: PastChild): string => {
  if (ending !== undefined) return ENDINGS[ending];
  return error === undefined ? exitText(exit ?? { tag: 'unknown' }) : errorSentence(error);
};
