// SIGKILL for everything that belongs to a run, newcomers included. Whoever is found is stopped first (SIGSTOP), and looked
// for again until a look finds nobody new: nobody is left by then who could fork, or bring up again whom he sees die. Only
// then they are killed, all at once.
import {
  catchError,
  defer,
  finalize,
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
import { freezeAll, killAll } from './strike.ts';

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

type Blow = (targets: readonly ProcessRef[], leader: ProcessRef) => void;

/** What is done to whom the hunt finds. */
interface Blows {
  /** They stand still, and are alive. */
  readonly freeze: Blow;
  readonly kill: Blow;
}

const BLOWS: Blows = { freeze: freezeAll, kill: killAll };

/**
 * Strikes when it is subscribed to. Completes when two looks in a row found nobody new, after 100 looks, or with the
 * look in which 2 s are over. Whoever was stopped is dead then, also when it is called off. Never fails.
 */
export function hunt(census: Census, quarry: Quarry, blows = BLOWS): Observable<never> {
  return defer(() => {
    const { cast, draw } = netOf(quarry, blows);
    if (quarry.targets.length > 0) cast(quarry.targets);
    const late$ = timer(MAX_MS).pipe(map((): Word => 'late'));
    const round$ = look(census, quarry).pipe(map((seen) => (seen === undefined ? 'busy' : cast(seen))));
    return merge(late$, round$.pipe(repeat())).pipe(
      scan(progress, BEGUN),
      takeWhile(({ over }) => !over),
      ignoreElements(),
      finalize(draw),
    );
  });
}

interface Net {
  /** Stops those who are new; when nobody is, kills all who stand. */
  readonly cast: (seen: readonly ProcessRef[]) => Word;
  /** Kills all who stand. */
  readonly draw: () => void;
}

const netOf = ({ leader }: Quarry, { freeze, kill }: Blows): Net => {
  const known = new Set<string>();
  let standing: readonly ProcessRef[] = [];
  const draw = (): void => {
    if (standing.length > 0) kill(standing, leader);
    standing = [];
  };
  const cast = (seen: readonly ProcessRef[]): Word => {
    const fresh = seen.filter((member) => !known.has(keyOf(member)));
    if (fresh.length === 0) {
      draw();
      return 'quiet';
    }
    freeze(fresh, leader);
    for (const member of fresh) known.add(keyOf(member));
    standing = [...standing, ...fresh];
    return 'busy';
  };
  return { cast, draw };
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

/** Whatever happens, a round that was begun is finished: whom it finds is killed. */
const progress = ({ rounds, quiet, late }: Progress, word: Word): Progress => {
  if (word === 'late') return { rounds, quiet, late: true, over: false };
  const next = { rounds: rounds + 1, quiet: word === 'quiet' ? quiet + 1 : 0, late };
  return { ...next, over: late || next.quiet >= QUIET_ROUNDS || next.rounds >= MAX_ROUNDS };
};

const keyOf = ({ pid, startTicks }: ProcessRef): string => `${pid}:${startTicks}`;
