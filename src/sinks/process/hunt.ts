// SIGKILL for everything that belongs to a run, newcomers included: looks again after each strike until two rounds in
// a row find nobody new, so that what forks while being killed dies too.
import {
  catchError,
  defer,
  ignoreElements,
  map,
  merge,
  repeat,
  scan,
  takeWhile,
  timer,
  type Observable,
} from 'rxjs';
import type { RunId, ServiceId } from '../../streams/domain/ids.ts';
import type { Census } from '../../streams/domain/ports.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import { killAll } from './strike.ts';

interface Quarry {
  readonly service: ServiceId;
  readonly run: RunId;
  readonly leader: ProcessRef;
  /** Who is known already. */
  readonly targets: readonly ProcessRef[];
}

const MAX_ROUNDS = 100;
const MAX_MS = 2000;
const QUIET_ROUNDS = 2;
/** Before another look at a process table that could not be read. */
const BLIND_PAUSE_MS = 50;

/** What a round was like, or that the time for them is over. */
type Word = 'quiet' | 'busy' | 'late';

interface Progress {
  readonly rounds: number;
  /** How many of the last rounds in a row found nobody new. */
  readonly quiet: number;
  readonly late: boolean;
  readonly over: boolean;
}

const BEGUN: Progress = { rounds: 0, quiet: 0, late: false, over: false };

/**
 * Strikes when it is subscribed to. Completes when two rounds found nobody new, after 100 rounds, or with the round in
 * which 2 s are over. Never fails.
 */
export function hunt(census: Census, quarry: Quarry, strike = killAll): Observable<never> {
  return defer(() => {
    const strikeNew = strikes(quarry, strike);
    strikeNew(quarry.targets);
    const late$ = timer(MAX_MS).pipe(map((): Word => 'late'));
    const round$ = look(census, quarry).pipe(map((seen) => (seen === undefined ? 'busy' : strikeNew(seen))));
    return merge(late$, round$.pipe(repeat())).pipe(
      scan(progress, BEGUN),
      takeWhile(({ over }) => !over),
      ignoreElements(),
    );
  });
}

/** Strikes those who have not been struck before. */
const strikes = ({ leader }: Quarry, strike: typeof killAll): ((seen: readonly ProcessRef[]) => Word) => {
  const struck = new Set<string>();
  return (seen) => {
    const fresh = seen.filter((member) => !struck.has(keyOf(member)));
    strike(fresh, leader);
    for (const member of fresh) struck.add(keyOf(member));
    return fresh.length === 0 ? 'quiet' : 'busy';
  };
};

/** `undefined`: the process table cannot be read now, which is not the same as nobody there. */
function look(
  census: Census,
  { service, run, leader }: Quarry,
): Observable<readonly ProcessRef[] | undefined> {
  return census
    .membersOf(service, run, leader)
    .pipe(catchError(() => timer(BLIND_PAUSE_MS).pipe(map(() => undefined))));
}

/** Whatever happens, a round that was begun is finished: whom it finds is struck. */
const progress = ({ rounds, quiet, late }: Progress, word: Word): Progress => {
  if (word === 'late') return { rounds, quiet, late: true, over: false };
  const next = { rounds: rounds + 1, quiet: word === 'quiet' ? quiet + 1 : 0, late };
  return { ...next, over: late || next.quiet >= QUIET_ROUNDS || next.rounds >= MAX_ROUNDS };
};

const keyOf = ({ pid, startTicks }: ProcessRef): string => `${pid}:${startTicks}`;
