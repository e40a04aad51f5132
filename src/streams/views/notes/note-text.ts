import type { EffectOf, NoteFacts, WordedNote } from '../../domain/effect.ts';
import { errorSentence } from '../../domain/errors/error-sentence.ts';
import type { PastChild } from '../../domain/service/child.ts';
import { lengthText, ms } from '../../domain/time.ts';
import { changedText } from '../words/incident-text.ts';
import { childEndText } from '../words/cause-text.ts';

const childText = ({ name, run }: Pick<PastChild, 'name' | 'run'>, what: string): string =>
  `child ${name} (run ${run}): ${what}`;

const noteText = (facts: NoteFacts): string => {
  switch (facts.tag) {
    case 'child-began':
      return childText(facts, `began, pid ${facts.pid}`);
    case 'child-ended':
      return childText(facts.past, childEndText(facts.past));
    case 'clock-set':
      return facts.by < 0
        ? `the clock was set back by ${lengthText(ms(Math.abs(facts.by)))}`
        : `the clock went forward by ${lengthText(facts.by)}`;
    case 'file-changed':
      return changedText(facts);
    case 'command-failed':
      return `${facts.error.code} ${errorSentence(facts.error)}`;
  }
};

/** Returns the log line with a text. If the line has only facts, the text is made from these facts. */
export const worded = (note: EffectOf<'note'>): WordedNote => {
  if ('text' in note) return note;
  const { facts, ...rest } = note;
  return { ...rest, text: noteText(facts) };
};
