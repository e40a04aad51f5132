// The lines of the supervisor's own log. The lines come from notes of the kernel, from steps of rollouts, and
// from facts about state changes.
import { shownHealth } from '../../domain/service/service-state.ts';
import { map, merge, type Observable, share } from 'rxjs';
import type { EffectOf, WordedNote } from '../../domain/effect.ts';
import { checkText, errorSentence } from '../../domain/errors/error-sentence.ts';
import { shownId } from '../../domain/ids.ts';
import { exitText } from '../../domain/service/exit-status.ts';
import { STEP_WORDS, type RolloutRecord } from '../../domain/service/rollout.ts';
import type { Service } from '../../domain/service/service.ts';
import type { Skipped } from '../../domain/service/service-run.ts';
import { between, lengthText } from '../../domain/time.ts';
import type { Derived } from '../../kernel/after-step/step-streams.ts';
import { type Fact, type Facts, factsOf } from '../../kernel/after-step/state-change-facts.ts';
import type { Turn } from '../../kernel/after-step/state-change.ts';
import { each } from '../../operators/each.ts';
import { stepOf } from '../../rollout/rollout-input.ts';
import { failingText } from '../words/incident-text.ts';

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

/** Returns the log line for a step of a rollout, or for its end. */
const rolloutNote = (turn: Turn): readonly WordedNote[] => {
  const line = lineOf(turn);
  return line === undefined ? [] : [{ type: 'note', service: turn.after.spec.id, ...line }];
};

const info = (text: string): Line => ({ level: 'info', text });
const warn = (text: string): Line => ({ level: 'warn', text });
const error = (text: string): Line => ({ level: 'error', text });

const exitLine = ({ state: { exit } }: Fact<'stopping'>): Line => info(exitText(exit ?? { tag: 'unknown' }));

const overdueLine = ({ state }: Fact<'stopping'>): Line => {
  const pids = (state.survivors ?? [state.process]).map(({ pid }) => pid).join(', ');
  return state.phase === 'killing'
    ? warn(`SIGKILL after stop_timeout: pid ${pids}`)
    : error(`ERR0112 alive after SIGKILL: pid ${pids}`);
};

const restartLine = ({ service, state }: Fact<'backing-off'>): Line =>
  warn(`${errorSentence(state.error)}; attempt ${state.attempt} of ${service.spec.maxRestarts} next`);

const healthLine = ({ service, state, was }: Fact<'up'> & { readonly was: Fact<'up'>['state'] }): Line => {
  const failing = failingText(shownHealth(state), service);
  return failing === undefined ? info(`its ${checkText(shownHealth(was))} passes again`) : warn(failing);
};

const downLine = ({ state: { why } }: Fact<'down'>): Line => {
  switch (why.tag) {
    case 'failed':
      return error(errorSentence(why.error));
    case 'completed':
      return info('done');
    case 'ended':
      return info('ended with exit status 0');
    case 'asked':
    case 'new':
      return info('stopped');
    case 'skipped':
      return info('skipped');
  }
};

const goesWithout = ({ key, detail }: Skipped): Line => warn(`runs without ${key}: ${detail}`);

const about = ({ spec }: Service, line: Line): WordedNote => ({ type: 'note', service: spec.id, ...line });

function lines<F extends { readonly service: Service }>(
  fact$: Observable<F>,
  lineOf: (fact: F) => Line,
): Observable<WordedNote> {
  return fact$.pipe(map((fact) => about(fact.service, lineOf(fact))));
}

/**
 * Emits log lines for facts. The lines about one event have this order: exits, their consequences, readiness.
 */
function factNotes(facts: Facts): Observable<WordedNote> {
  return merge(
    lines(facts.exit$, exitLine),
    lines(facts.health$, healthLine),
    lines(facts.overdue$, overdueLine),
    lines(facts.restart$, restartLine),
    lines(facts.breaker$, ({ state }) => error(errorSentence(state.error))),
    lines(facts.casualty$, ({ state }) => warn(`casualty of ${state.of.map(shownId).join(', ')}`)),
    lines(facts.down$, downLine),
    lines(facts.departure$, () => info('left: not declared any more')),
    // Only a service that had to wait at the gate has this line.
    facts.admission$.pipe(
      each(({ service, waited }) => (waited ? [about(service, info('its turn has come'))] : [])),
    ),
    facts.unprotected$.pipe(
      each(({ service }) => (service.skipped ?? []).map((one) => about(service, goesWithout(one)))),
    ),
    lines(facts.ready$, ({ state }) => info(`ready, pid ${state.process.pid}`)),
  );
}

/**
 * Emits all lines for the log. All facts share one subscription to `move$`, which keeps the facts in order.
 */
export function notesOf({ note$, rollout$, move$ }: Derived): Observable<EffectOf<'note'>> {
  return merge(note$, rollout$.pipe(each(rolloutNote)), factNotes(factsOf(move$.pipe(share()))));
}
