// Derives the facts about state changes, as one stream for each kind. `views/notes` makes log lines from
// them.
import { filter, type Observable } from 'rxjs';
import type { In, Service, Tag } from '../../domain/service/service.ts';
import { each } from '../../operators/each.ts';
import { healthNews } from '../../service/state-history.ts';
import { isMove, type Departure, type Move } from './state-change.ts';

export interface Fact<T extends Tag = Tag> {
  readonly service: Service;
  readonly state: In<T>;
}

export interface Facts {
  /** The gate let a service start. `waited`: the service had to queue. */
  readonly admission$: Observable<Fact & { readonly waited: boolean }>;
  /**
   * A process runs without a protection that its manifest declares, because this version of Linux does not
   * have it.
   */
  readonly unprotected$: Observable<Fact<'starting'>>;
  /** A service became ready. */
  readonly ready$: Observable<Fact<'up'>>;
  /** The probes of a ready service began to fail, or pass again. */
  readonly health$: Observable<Fact<'up'> & { readonly was: In<'up'> }>;
  /** The main process of a service exited by itself. */
  readonly exit$: Observable<Fact<'stopping'>>;
  /** A stop takes too long: SIGKILL was sent, or processes live in spite of SIGKILL. */
  readonly overdue$: Observable<Fact<'stopping'>>;
  /** An automatic restart is scheduled. */
  readonly restart$: Observable<Fact<'backing-off'>>;
  /** A breaker opened: the service is no longer restarted automatically. */
  readonly breaker$: Observable<Fact<'broken'>>;
  /** A service is down because a dependency failed. */
  readonly casualty$: Observable<Fact<'casualty'>>;
  /** A service is down: stopped, done, failed or skipped. */
  readonly down$: Observable<Fact<'down'>>;
  /** A service was removed from the service table. */
  readonly departure$: Observable<{ readonly service: Service }>;
}

const isIn = <T extends Tag>(state: Service['actual'], tag: T): state is In<T> => state.tag === tag;

/** Emits when a service enters `tag` from a state with another tag. */
function entering<T extends Tag>(move$: Observable<Move>, tag: T): Observable<Fact<T>> {
  return move$.pipe(
    each(({ before, after }) => {
      const state = after.actual;
      return before.actual.tag !== tag && isIn(state, tag) ? [{ service: after, state }] : [];
    }),
  );
}

/**
 * Returns the states before and after the change if the probes of a ready service began to fail or passed
 * again; otherwise `undefined`.
 */
export const healthNewsOf = ({ before, after }: Move): ReturnType<typeof healthNews> =>
  healthNews(before.actual, after.actual);

const healthFact = (move: Move): readonly (Fact<'up'> & { readonly was: In<'up'> })[] => {
  const news = healthNewsOf(move);
  return news === undefined ? [] : [{ service: move.after, state: news.is, was: news.was }];
};

const isExit = ({ state: { cause, exit } }: Fact<'stopping'>): boolean =>
  cause.tag === 'exited' && exit !== undefined;

const overdue = ({ before, after }: Move): readonly Fact<'stopping'>[] => {
  const [was, state] = [before.actual, after.actual];
  if (was.tag !== 'stopping' || state.tag !== 'stopping' || was.phase === state.phase) return [];
  return [{ service: after, state }];
};

const admitted = ({ before, after, input }: Move): readonly (Fact & { waited: boolean })[] => {
  if (input.type !== 'admit' || before.gate === 'none') return [];
  const waited = before.actual.tag === 'waiting' && before.actual.for === 'gate';
  return [{ service: after, state: after.actual, waited }];
};

/** Returns the streams of facts about these state changes and removals. */
export const factsOf = (moved$: Observable<Move | Departure>): Facts => {
  const move$ = moved$.pipe(filter(isMove));
  return {
    admission$: move$.pipe(each(admitted)),
    unprotected$: entering(move$, 'starting').pipe(
      filter(({ service }) => (service.skipped ?? []).length > 0),
    ),
    ready$: entering(move$, 'up'),
    health$: move$.pipe(each(healthFact)),
    exit$: entering(move$, 'stopping').pipe(filter(isExit)),
    overdue$: move$.pipe(each(overdue)),
    restart$: entering(move$, 'backing-off'),
    breaker$: entering(move$, 'broken'),
    casualty$: entering(move$, 'casualty'),
    down$: entering(move$, 'down'),
    departure$: moved$.pipe(each((move) => (isMove(move) ? [] : [{ service: move.before }]))),
  };
};
