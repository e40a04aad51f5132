// Kills everything that belongs to a run, new processes included, or sends a stop signal
// (`docs/behaviour.md`, "Stopping"). Each process found is stopped first (SIGSTOP). Scans repeat until one
// finds no new process: then none is left that could fork or restart another. Only then all are killed at
// once.
// Rules: `docs/behaviour.md`, "Stopping", "SIGKILL".
import {
  catchError,
  defer,
  EMPTY,
  finalize,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  repeat,
  scan,
  takeWhile,
  timer,
} from 'rxjs';
import { freezeAll, killAll, signalEach } from './signal-each.ts';
import type { EffectOf } from '../../streams/domain/effect.ts';
import type { RunId, ServiceId } from '../../streams/domain/ids.ts';
import type { Census, Sink } from '../../streams/domain/ports.ts';
import { processKey, type ProcessRef } from '../../streams/domain/service/process.ts';

interface Quarry {
  readonly service: ServiceId;
  readonly run: RunId;
  readonly leader: ProcessRef;
  /** Processes that are already known. */
  readonly targets: readonly ProcessRef[];
}

const MAX_ROUNDS = 100;
const MAX_MS = 2000;
const QUIET_ROUNDS = 2;
/** Pause before another scan when the process table could not be read. */
const BLIND_PAUSE_MS = 50;

/** The result of a scan, or that the time for scans is over. */
type Word = 'quiet' | 'busy' | 'late';

interface Progress {
  readonly rounds: number;
  /** How many of the last scans in a row found no new process. */
  readonly quiet: number;
  readonly late: boolean;
  readonly over: boolean;
}

const BEGUN: Progress = { rounds: 0, quiet: 0, late: false, over: false };

type Blow = (targets: readonly ProcessRef[], leader: ProcessRef) => void;

/** What is done to the processes found. */
interface Blows {
  /** Stops them; they stay alive. */
  readonly freeze: Blow;
  readonly kill: Blow;
}

const BLOWS: Blows = { freeze: freezeAll, kill: killAll };

/**
 * Kills the run's processes on subscription. Completes when two scans in a row found no new process, after
 * 100 scans, or with the scan in which 2 s are over. Stopped processes are then dead, also after
 * unsubscribing. Never fails.
 */
export function killRun(census: Census, quarry: Quarry, blows = BLOWS): Observable<never> {
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
  /** Stops new processes; if there are none, kills all stopped ones. */
  readonly cast: (seen: readonly ProcessRef[]) => Word;
  /** Kills all stopped processes. */
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
    const fresh = seen.filter((member) => !known.has(processKey(member)));
    if (fresh.length === 0) {
      draw();
      return 'quiet';
    }
    freeze(fresh, leader);
    for (const member of fresh) known.add(processKey(member));
    standing = [...standing, ...fresh];
    return 'busy';
  };
  return { cast, draw };
};

/**
 * Scans for members; `undefined` if the process table cannot be read, which does not mean that none is left.
 */
function look(
  census: Census,
  { service, run, leader }: Quarry,
): Observable<readonly ProcessRef[] | undefined> {
  return census
    .membersOf(service, run, leader)
    .pipe(catchError(() => timer(BLIND_PAUSE_MS).pipe(map(() => undefined))));
}

/** Counts the scans. A scan that has begun is always finished: what it finds is killed. */
const progress = ({ rounds, quiet, late }: Progress, word: Word): Progress => {
  if (word === 'late') return { rounds, quiet, late: true, over: false };
  const next = { rounds: rounds + 1, quiet: word === 'quiet' ? quiet + 1 : 0, late };
  return { ...next, over: late || next.quiet >= QUIET_ROUNDS || next.rounds >= MAX_ROUNDS };
};

export const signalSink =
  (ports: { readonly census: Census }): Sink<'signal'> =>
  (effect$) =>
    effect$.pipe(mergeMap((effect) => deliver(ports.census, effect)));

function deliver(census: Census, effect: EffectOf<'signal'>): Observable<never> {
  if (effect.signal === 'SIGKILL') return killRun(census, effect);
  signalEach(effect.targets, effect.signal);
  return EMPTY;
}
