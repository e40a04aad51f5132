// Kills all processes of a run, even those that start meanwhile, or sends a stop signal (`docs/behaviour.md`,
// "Stopping"). Before the kill, each found process is frozen (SIGSTOP). If a process scan finds no new
// process, no process remains that could fork, and all are killed at once.
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
import type { ProcessScanner, Sink } from '../../streams/domain/ports.ts';
import { processKey, type ProcessRef } from '../../streams/domain/service/process.ts';

interface Quarry {
  readonly service: ServiceId;
  readonly run: RunId;
  readonly leader: ProcessRef;
  /** The processes of the run that are already known. */
  readonly targets: readonly ProcessRef[];
}

const MAX_ROUNDS = 100;
const MAX_MS = 2000;
const QUIET_ROUNDS = 2;
/** Delay before the next scan if the process table could not be read, ms. */
const BLIND_PAUSE_MS = 50;

/** `quiet`: a scan found no new process. `busy`: a scan found one, or failed. `late`: the time is up. */
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

interface Blows {
  /** Sends SIGSTOP: the processes stay alive but run no more code. */
  readonly freeze: Blow;
  readonly kill: Blow;
}

const BLOWS: Blows = { freeze: freezeAll, kill: killAll };

/**
 * Kills the run's processes when subscribed, until two scans in a row find no new process, for at most 100
 * scans or 2 s. At the end, and on unsubscribing, all frozen processes are killed. Never fails.
 */
export function killRun(census: ProcessScanner, quarry: Quarry, blows = BLOWS): Observable<never> {
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
  /** Freezes new processes. If there are none, kills all frozen processes. */
  readonly cast: (seen: readonly ProcessRef[]) => Word;
  /** Kills all frozen processes. */
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

/** Scans for processes of the run. Emits `undefined` if the process table cannot be read. */
function look(
  census: ProcessScanner,
  { service, run, leader }: Quarry,
): Observable<readonly ProcessRef[] | undefined> {
  return census
    .membersOf(service, run, leader)
    .pipe(catchError(() => timer(BLIND_PAUSE_MS).pipe(map(() => undefined))));
}

/** Counts the scans and decides when to stop. A scan in progress is always completed. */
const progress = ({ rounds, quiet, late }: Progress, word: Word): Progress => {
  if (word === 'late') return { rounds, quiet, late: true, over: false };
  const next = { rounds: rounds + 1, quiet: word === 'quiet' ? quiet + 1 : 0, late };
  return { ...next, over: late || next.quiet >= QUIET_ROUNDS || next.rounds >= MAX_ROUNDS };
};

export const signalSink =
  (ports: { readonly census: ProcessScanner }): Sink<'signal'> =>
  (effect$) =>
    effect$.pipe(mergeMap((effect) => deliver(ports.census, effect)));

function deliver(census: ProcessScanner, effect: EffectOf<'signal'>): Observable<never> {
  if (effect.signal === 'SIGKILL') return killRun(census, effect);
  signalEach(effect.targets, effect.signal);
  return EMPTY;
}
