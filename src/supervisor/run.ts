// The composition root: runs a supervisor, from reading the records to its exit status. It decides nothing
// about services.
import { setTimeout as pause } from 'node:timers/promises';
import { lastValueFrom, type Subscription } from 'rxjs';
import type { SupervisorOptions } from './supervisor-options.ts';
import { type First, firstEvent, endCommands } from './first-event.ts';
import { closingBefore, wasShutDown } from './closing-record.ts';
import { continuedEvent } from './upgrade/resume.ts';
import { type Deps, reportUnexpected, buildDeps } from './deps.ts';
import { startTasks, makeRoom } from './start-tasks.ts';
import { bootstrap, keepProgramSoon } from './upgrade/first-step.ts';
import { onUncaught, reExecuting, reportCrash } from './re-execution.ts';
import { refuseDebugger, recordEarlySignals } from '../os/early-signals.ts';
import { listenForMetrics } from '../sinks/metrics/metrics-listener.ts';
import { messageOf } from '../streams/domain/errors/thrown.ts';
import { marks } from '../sources/process/read-tags.ts';
import { isReExecuted } from './upgrade/program.ts';
import { startsOf, lastStatus } from './given-manifests.ts';
import { keepLast, projectsIn } from './followers/state-records.ts';
import { restoreReserve } from '../os/files/disk-reserve.ts';
import { layoutOf } from '../streams/wire/layout.ts';
import type { Hold } from '../sources/store/directory-hold.ts';
import { EXIT, type CommandStatus } from '../streams/wire/command-exit-status.ts';
import { keepReachable } from './self-repair.ts';

/**
 * Returns the first event of a new or re-executed process. If the previous program had begun a shutdown, the
 * event contains this shutdown.
 */
const findFromRecords = async (options: SupervisorOptions): Promise<First> => {
  const closing = closingBefore(options);
  const shutDown = closing === undefined && wasShutDown(options);
  return {
    ...(await firstEvent(options)),
    ...(closing && { closing }),
    ...(shutDown && { shutDown: true as const }),
  };
};

/**
 * Returns the first event: after an upgrade from the state that was handed over, otherwise from the records.
 */
const findState = async (options: SupervisorOptions): Promise<First> =>
  options.arrival === undefined ? findFromRecords(options) : continuedEvent(options, options.arrival);

const unexpected =
  ({ log }: Deps, name: string) =>
  (error: unknown): void =>
    reportUnexpected(log)(name, error);

/** Subscribes the tasks, then runs the first step. Events that arrive before the first step wait for it. */
const begin = async (deps: Deps, first: First): Promise<ReturnType<typeof startTasks>> => {
  const { loop, screen } = deps;
  const early = loop.hold();
  const running = startTasks(deps);
  const console$ = screen?.follow(loop.derived.service$);
  running.subscription.add(console$?.subscribe({ error: unexpected(deps, 'console') }));
  await bootstrap(deps, early, first);
  return running;
};

/**
 * Makes an uncaught error re-execute the program from now on. If the previous program failed, logs the
 * reason.
 */
const guardAgainstErrors = (deps: Deps): void => {
  onUncaught(reExecuting(deps));
  reportCrash(deps);
};

/** While the supervisor is idle, prepares what the first start and an upgrade need, so that both are fast. */
const warmUp = (deps: Deps): void => {
  keepProgramSoon(deps);
  setImmediate(() => {
    deps.processes.means();
    refuseDebugger(process);
  });
};

/**
 * Serves metrics over HTTP, if configured. A failure is only logged, because services must run without
 * metrics. Resolves to the function that stops the server.
 */
const serveMetrics = async ({ options, log, measured, snapshot }: Deps): Promise<() => Promise<void>> => {
  const { metricsListen: place } = options;
  if (place === undefined) return () => Promise.resolve();
  try {
    return await listenForMetrics(place, () => measured.measures.metrics(snapshot()));
  } catch (error) {
    log.error(`metrics are not served at ${place.host}:${place.port}: ${messageOf(error)}`);
    return () => Promise.resolve();
  }
};

/** Starts the given manifests, unless the previous program in this process has already started them. */
const startGivenManifests = ({ options, loop }: Deps): void => {
  if (options.arrival === undefined && !isReExecuted()) startsOf(options).forEach(loop.post);
};

const saveState = async ({ log, options, records }: Deps): Promise<void> => {
  makeRoom(options);
  const saved$ = keepLast(records, projectsIn(records.read()));
  await lastValueFrom(saved$, { defaultValue: undefined }).catch((error: unknown) =>
    log.error(`the last state is not saved: ${String(error)}`),
  );
  restoreReserve(layoutOf(options.dataDir).reserve);
};

/** Maximum time that the shutdown waits until slots and replies are saved, ms: the disk may hang. */
const DISK_MS = 5_000;
const LOOK_MS = 10;

/**
 * Waits until pending slot files are written and pending replies are sent, because after the shutdown nothing
 * does that.
 */
const pendingSaved = async ({ slots, tally }: Deps): Promise<void> => {
  const until = performance.now() + DISK_MS;
  while (slots.count + tally.count > 0 && performance.now() < until) await pause(LOOK_MS);
};

/**
 * Makes signals have no effect. Call it just before the exit: a further signal then cannot shorten the
 * shutdown.
 */
const releaseSignals = (subscription: Subscription): void => {
  recordEarlySignals(process);
  subscription.unsubscribe();
};

/**
 * Flushes all output before the exit. The console comes after the logs, because it prints what is in them.
 */
const flushOutput = async ({ options, capture, events, measured, screen }: Deps): Promise<void> => {
  await endCommands(options.dataDir);
  await capture.close();
  await screen?.close();
  await events.close();
  await measured.flush();
};

/** Runs the supervisor until it ends or a task fails. Resolves to the exit status. */
export const runSupervisor = async (given: SupervisorOptions, hold: Hold): Promise<CommandStatus> => {
  const options = { ...given, tags: marks(given.dataDir) };
  const first = await findState(options);
  const deps = await buildDeps(options, first);
  const { end, subscription } = await begin(deps, first);
  guardAgainstErrors(deps);
  warmUp(deps);
  subscription.add(keepReachable(deps, hold).subscribe({ error: unexpected(deps, 'presence') }));
  const closeMetrics = await serveMetrics(deps);
  startGivenManifests(deps);

  const ended = await end;
  if (ended.tag === 'broken') {
    subscription.unsubscribe();
    await deps.log.close();
    return EXIT.broken;
  }

  await deps.hooks.over;
  await Promise.all([saveState(deps), pendingSaved(deps)]);
  await closeMetrics();
  await deps.server.close();
  releaseSignals(subscription);
  await flushOutput(deps);
  hold.release();
  await deps.log.close();
  return lastStatus(ended.endReason);
};
