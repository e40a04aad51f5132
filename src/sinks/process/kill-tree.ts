// Sends a signal to the processes of a run. SIGKILL also kills the processes that start meanwhile: each
// process that a scan finds is first frozen (SIGSTOP). When a scan finds no new process, no process of the
// run can fork any more, so all frozen processes are killed at once.
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

interface KillTarget {
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

/**
 * The result of a scan. `quiet`: it found no new process. `busy`: it found one, or failed. `late`: the time
 * is up.
 */
type RoundResult = 'quiet' | 'busy' | 'late';

interface Progress {
  readonly rounds: number;
  /** The number of `quiet` scans in a row, up to the last scan. */
  readonly quiet: number;
  readonly late: boolean;
  readonly over: boolean;
}

const BEGUN: Progress = { rounds: 0, quiet: 0, late: false, over: false };

type SendSignal = (targets: readonly ProcessRef[], leader: ProcessRef) => void;

interface KillSignals {
  /** Sends SIGSTOP: the processes stay alive but run no more code. */
  readonly freeze: SendSignal;
  readonly kill: SendSignal;
}

const KILL_SIGNALS: KillSignals = { freeze: freezeAll, kill: killAll };

/**
 * Kills the processes of the run when subscribed. Scans until two scans in a row find no new process, but at
 * most 100 times, and begins no scan after 2 s. At the end, and on unsubscribing, kills all frozen processes.
 * Never fails.
 */
export function killRun(
  scanner: ProcessScanner,
  target: KillTarget,
  signals = KILL_SIGNALS,
): Observable<never> {
  return defer(() => {
    const { freezeNew, killFrozen } = frozenProcesses(target, signals);
    if (target.targets.length > 0) freezeNew(target.targets);
    const late$ = timer(MAX_MS).pipe(map((): RoundResult => 'late'));
    const round$ = scanRun(scanner, target).pipe(
      map((seen) => (seen === undefined ? 'busy' : freezeNew(seen))),
    );
    return merge(late$, round$.pipe(repeat())).pipe(
      scan(progress, BEGUN),
      takeWhile(({ over }) => !over),
      ignoreElements(),
      finalize(killFrozen),
    );
  });
}

interface FrozenProcesses {
  /** Freezes the processes in `seen` that are not known yet. If all are known, kills all frozen processes. */
  readonly freezeNew: (seen: readonly ProcessRef[]) => RoundResult;
  /** Kills all frozen processes. */
  readonly killFrozen: () => void;
}

const frozenProcesses = ({ leader }: KillTarget, { freeze, kill }: KillSignals): FrozenProcesses => {
  const known = new Set<string>();
  let frozen: readonly ProcessRef[] = [];
  const killFrozen = (): void => {
    if (frozen.length > 0) kill(frozen, leader);
    frozen = [];
  };
  const freezeNew = (seen: readonly ProcessRef[]): RoundResult => {
    const fresh = seen.filter((member) => !known.has(processKey(member)));
    if (fresh.length === 0) {
      killFrozen();
      return 'quiet';
    }
    freeze(fresh, leader);
    for (const member of fresh) known.add(processKey(member));
    frozen = [...frozen, ...fresh];
    return 'busy';
  };
  return { freezeNew, killFrozen };
};

/** Scans for processes of the run. Emits `undefined` if the process table cannot be read. */
function scanRun(
  scanner: ProcessScanner,
  { service, run, leader }: KillTarget,
): Observable<readonly ProcessRef[] | undefined> {
  return scanner
    .membersOf(service, run, leader)
    .pipe(catchError(() => timer(BLIND_PAUSE_MS).pipe(map(() => undefined))));
}

/**
 * Counts the scans and decides when to stop. When the time is up, the scan in progress is still completed.
 */
const progress = ({ rounds, quiet, late }: Progress, result: RoundResult): Progress => {
  if (result === 'late') return { rounds, quiet, late: true, over: false };
  const next = { rounds: rounds + 1, quiet: result === 'quiet' ? quiet + 1 : 0, late };
  return { ...next, over: late || next.quiet >= QUIET_ROUNDS || next.rounds >= MAX_ROUNDS };
};

export const signalSink =
  (ports: { readonly scanner: ProcessScanner }): Sink<'signal'> =>
  (effect$) =>
    effect$.pipe(mergeMap((effect) => deliver(ports.scanner, effect)));

function deliver(scanner: ProcessScanner, effect: EffectOf<'signal'>): Observable<never> {
  if (effect.signal === 'SIGKILL') return killRun(scanner, effect);
  signalEach(effect.targets, effect.signal);
  return EMPTY;
}
