// Which moves are worth a line of the supervisor's own log.
import type { Effect } from '../domain/effect.ts';
import { exitText } from '../domain/exit.ts';
import { shownId } from '../domain/ids.ts';
import type { In, Service } from '../domain/service.ts';
import { errorSentence } from '../views/error-sentence.ts';

type Note = Extract<Effect, { type: 'note' }>;
type Line = Pick<Note, 'level' | 'text'>;

const info = (text: string): Line => ({ level: 'info', text });
const warn = (text: string): Line => ({ level: 'warn', text });

const downLine = ({ why }: In<'down'>): Line | undefined => {
  switch (why.tag) {
    case 'failed':
      return { level: 'error', text: errorSentence(why.error) };
    case 'completed':
      return info('done');
    case 'ended':
      return info('ended with exit status 0');
    case 'asked':
      return info('stopped');
    case 'skipped':
      return info('skipped');
    case 'new':
      return undefined;
  }
};

const stoppingLine = (before: Service, state: In<'stopping'>): Line | undefined => {
  if (before.actual.tag !== 'stopping')
    return state.cause.tag === 'exited' && state.exit ? info(exitText(state.exit)) : undefined;
  if (state.phase === before.actual.phase) return undefined;
  const pids = (state.survivors ?? [state.process]).map(({ pid }) => pid).join(', ');
  if (state.phase === 'killing') return warn(`SIGKILL after stop_timeout: pid ${pids}`);
  return { level: 'error', text: `ERR0112 alive after SIGKILL: pid ${pids}` };
};

const lineOf = (before: Service, after: Service): Line | undefined => {
  const { actual } = after;
  if (actual.tag === 'stopping') return stoppingLine(before, actual);
  if (actual.tag === before.actual.tag) return undefined;
  switch (actual.tag) {
    case 'up':
      return info(`ready, pid ${actual.process.pid}`);
    case 'backing-off':
      return warn(
        `${errorSentence(actual.error)}; attempt ${actual.attempt} of ${after.spec.maxRestarts} next`,
      );
    case 'broken':
      return { level: 'error', text: errorSentence(actual.error) };
    case 'casualty':
      return warn(`casualty of ${actual.of.map(shownId).join(', ')}`);
    case 'down':
      return downLine(actual);
    default:
      return undefined;
  }
};

/** At most one line a move. */
export const notesOf = (before: Service, after: Service): readonly Effect[] => {
  const line = lineOf(before, after);
  return line === undefined ? [] : [{ type: 'note', service: after.spec.id, ...line }];
};
