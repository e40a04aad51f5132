// Which steps of a rollout get a line in the supervisor's own log: all of them.
import type { WordedNote } from '../../domain/effect.ts';
import type { RolloutRecord } from '../../domain/service/rollout.ts';
import { between, lengthText } from '../../domain/time.ts';
import { stepOf } from '../../rollout/input.ts';
import { STEP_WORDS } from '../../rollout/words.ts';
import { errorSentence } from '../../domain/errors/error-sentence.ts';
import type { Turn } from '../../kernel/derived/move.ts';

type Line = Pick<WordedNote, 'level' | 'text'>;

const endLine = ({ outcome, error, stages, ended, candidate }: RolloutRecord): Line => {
  const length = lengthText(between(stages[0].at, ended));
  if (outcome === 'done')
    return { level: 'info', text: `rolled out: run ${candidate ?? '?'} after ${length}` };
  if (error === undefined) return { level: 'warn', text: `rollout called off after ${length}` };
  return { level: 'error', text: `${error.code} ${errorSentence(error)}` };
};

const lineOf = ({ after: { rollout, rollouts } }: Turn): Line | undefined => {
  if (rollout !== undefined) return { level: 'info', text: `rollout: ${STEP_WORDS[stepOf(rollout)]}` };
  const last = rollouts?.at(-1);
  return last && endLine(last);
};

/** One line per step. */
export const rolloutNote = (turn: Turn): readonly WordedNote[] => {
  const line = lineOf(turn);
  return line === undefined ? [] : [{ type: 'note', service: turn.after.spec.id, ...line }];
};
