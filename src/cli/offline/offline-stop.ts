// `sup stop` and `sup forget` without a supervisor: run the supervisor's loop in this process until the
// selected services have stopped, while holding the lock. `forget` then removes manifest and services from
// the records.
// Rules: `docs/behaviour.md`, "Without a supervisor", "stop".
import { setTimeout as pause } from 'node:timers/promises';
import { lastValueFrom, merge } from 'rxjs';
import { stopOver } from '../client/ensure-supervisor.ts';
import { supervisorEnvironment } from '../../client/manifests/manifest-paths.ts';
import type { Context } from '../context.ts';
import { readRecorded } from '../../client/recorded.ts';
import { runStop } from './run-stop.ts';
import { remark } from '../print.ts';
import { registryWriter } from '../../sinks/store/registry-writer.ts';
import { stateWriter } from '../../sinks/store/save-changes.ts';
import { type KnownService, knownServices } from '../../sources/process/services-to-search.ts';
import { livingRuns } from '../../sources/process/living-runs.ts';
import { stopInProgress } from '../../sources/store/lock.ts';
import type { Done, Selection } from '../../streams/domain/command.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import type { Found } from '../../streams/domain/event.ts';
import { ms } from '../../streams/domain/time.ts';
import { selectedIn } from '../../streams/kernel/boot/stop-only.ts';
import { errorDocument } from '../../streams/views/errors/error-text.ts';
import { failure, Failure } from '../../streams/views/errors/command-failure.ts';
import { type First, firstEvent } from '../../supervisor/index.ts';
import { type Hold, holdDirectory } from '../../sources/store/directory-hold.ts';
import { wallClock } from '../../sources/clocks.ts';
import { peekStore } from '../../sources/store/read-saved-state.ts';

const isRecorded = (context: Context): boolean => {
  const { services, manifests } = readRecorded(context);
  return services.length > 0 || manifests.length > 0;
};

/**
 * How long another process may hold the lock of the data directory, ms, before it is considered a supervisor.
 */
const GRACE_MS = 1_000;
const PAUSE_MS = 20;

/** Takes the lock after any other stop has ended. Rejects with ERR0205 if a supervisor holds it. */
export const takeLock = async (context: Context): Promise<Hold> => {
  const { dataDir, sys } = context;
  await stopOver(context);
  let stoppedAt = performance.now();
  for (;;) {
    const outcome = await holdDirectory(dataDir, { purpose: 'stop', sys });
    if (outcome.tag === 'unusable') throw failure(outcome.error);
    if (outcome.tag === 'acquired') return outcome.hold;
    if (stopInProgress(dataDir) !== undefined) stoppedAt = performance.now();
    else if (performance.now() - stoppedAt > GRACE_MS) throw failure({ code: 'ERR0205', pid: outcome.by });
    await pause(PAUSE_MS);
  }
};

/** Maximum number of stops in a row. Each stop ends one leftover run per service. */
const ROUNDS = 5;

const knownIn = ({ restored, registered }: First): Promise<readonly KnownService[]> =>
  knownServices(
    restored,
    registered.flatMap(({ load }) => load.manifest?.services ?? []),
  );

const stopOnce = async (context: Context, selection: Selection): Promise<Round> => {
  const { dataDir, sys, world } = context;
  const place = { dataDir, sys, environment: supervisorEnvironment(world.environment, dataDir) };
  const first = await firstEvent(place);
  const selected = selectedIn(first, wallClock.now(), selection);
  if (!selected.ok) throw failure(selected.error);
  const asked = new Set(selected.ids);
  const { reply, ...stopped } = await runStop(context, place, { first, asked, selection });
  const warnings = [...first.warnings, ...(first.said ?? []), ...stopped.warnings];
  if (!reply.ok) throw new Failure(errorDocument(reply.error), 'failed', warnings);
  const left = (await livingRuns(dataDir, await knownIn(first))).filter(({ service }) => asked.has(service));
  return { left, done: { ...reply.done, warnings } };
};

interface Round {
  readonly done: Done;
  /** Runs of the selected services that are still alive after the stop. */
  readonly left: readonly Found[];
}

/** Stops the services, and repeats this until no run is alive. Rejects with ERR0112 after `ROUNDS` stops. */
const stopAll = async (context: Context, selection: Selection): Promise<Done> => {
  const first = await stopOnce(context, selection);
  let { left: alive } = first;
  for (let rounds = 1; rounds < ROUNDS && alive.length > 0; rounds += 1)
    alive = (await stopOnce(context, selection)).left;
  const [left] = alive;
  if (left === undefined) return first.done;
  const { service, process } = left;
  throw failure({ code: 'ERR0112', service, survivors: [process.pid], waited: ms(0) });
};

/**
 * Runs `work` while this process holds the lock. Rejects with ERR0206 if there are no records, and with
 * ERR0205 if a supervisor runs.
 */
const withoutSupervisor = async (context: Context, work: () => Promise<Done>): Promise<Done> => {
  if (!isRecorded(context)) throw failure({ code: 'ERR0206', dataDir: context.dataDir });
  const lock = await takeLock(context);
  try {
    return await work();
  } finally {
    lock.release();
  }
};

/**
 * Stops the selected services. Rejects with ERR0112 if a process survives, and with the errors of
 * `withoutSupervisor`.
 */
export const offlineStop = (context: Context, selection: Selection): Promise<Done> =>
  withoutSupervisor(context, () => stopAll(context, selection));

const NOTHING_STOPPED: Done = { outcomes: [], warnings: [] };

/** Removes the manifest and its services from the records. Rejects with ERR0701 if that fails. */
const drop = async (context: Context, manifest: string): Promise<void> => {
  const { dataDir } = context;
  const { manifests, services, unrecorded } = peekStore(dataDir);
  const left = services.filter(({ spec }) => spec.manifest !== manifest);
  const changed = services.filter(({ spec }) => spec.manifest === manifest).map(({ spec }) => spec.project);
  const ports = { dataDir, logError: (text: string) => remark(context, text) };
  const states = stateWriter(ports);
  const written = [...new Set(changed)].map((project) =>
    states.conclude({ project, services: left.filter(({ spec }) => spec.project === project) }),
  );
  const projects = [...new Set([...left.map(({ spec }) => spec.project), ...unrecorded])];
  const registered = { manifests: manifests.filter((one) => one !== manifest), projects };
  try {
    const all$ = merge(...written, registryWriter(ports).flush(registered));
    await lastValueFrom(all$, { defaultValue: undefined });
  } catch (thrown) {
    throw failure({ code: 'ERR0701', file: dataDir, detail: messageOf(thrown) });
  }
};

/**
 * Stops the services of a manifest, and removes manifest and services from the records. Rejects with ERR0202
 * if the manifest is not registered, and with ERR0112 if a process survives.
 */
export const offlineForget = (context: Context, manifest: string): Promise<Done> =>
  withoutSupervisor(context, async () => {
    const { manifests, services } = peekStore(context.dataDir);
    if (!manifests.includes(manifest)) throw failure({ code: 'ERR0202', name: manifest, known: manifests });
    const isDeclared = services.some(({ spec }) => spec.manifest === manifest);
    const done = isDeclared ? await stopAll(context, { manifest }) : NOTHING_STOPPED;
    await drop(context, manifest);
    return done;
  });
