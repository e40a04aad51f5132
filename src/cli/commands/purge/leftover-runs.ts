// Finds processes of unregistered services by their run tags, and ends their runs: sends SIGTERM, then
// SIGKILL, and checks that no process is left. Also removes cgroups that a privileged supervisor left, if
// they are empty.
import { setTimeout as pause } from 'node:timers/promises';
import { namesIn } from '../../../os/files/directories.ts';
import { firstValueFrom, lastValueFrom } from 'rxjs';
import { removeCgroup } from '../../../sinks/privilege/cgroup.ts';
import type { RegisteredNames } from '../../../sinks/store/unregistered-files.ts';
import { processScanner } from '../../../sources/process/scan-members.ts';
import { type KnownService, knownServices } from '../../../sources/process/services-to-search.ts';
import { livingRuns } from '../../../sources/process/living-runs.ts';
import { peekStore } from '../../../sources/store/read-saved-state.ts';
import type { Found } from '../../../streams/domain/event.ts';
import { projectId, projectOf, serviceId, type ServiceId } from '../../../streams/domain/ids.ts';
import type { ProcessRef } from '../../../streams/domain/service/process.ts';
import { ms } from '../../../streams/domain/time.ts';
import { CGROUP_ROOT } from '../../../streams/launch/cgroup-path.ts';
import { failure } from '../../../streams/views/errors/command-failure.ts';
import type { Leftover, PurgeQuery } from '../../../streams/wire/protocol.ts';
import { signalEach } from '../../../sinks/process/signal-each.ts';
import { killRun } from '../../../sinks/process/kill-tree.ts';

/**
 * Returns the cgroups of unregistered services. Returns none if `kinds` of the query does not contain
 * `state`.
 */
export const cgroupsLeft = (
  { services }: RegisteredNames,
  { projects, kinds }: PurgeQuery,
  root = CGROUP_ROOT,
): readonly Leftover[] => {
  if (!kinds.includes('state')) return [];
  return namesIn(root).flatMap((name) => {
    const [project = '', service] = name.split(':');
    if (service === undefined || services.has(serviceId(projectId(project), service))) return [];
    if (projects !== undefined && !projects.includes(project)) return [];
    return [{ project, kind: 'state' as const, path: `${root}/${name}` }];
  });
};

/** Removes cgroups and returns those that could be removed. */
export const removeCgroups = (cgroups: readonly Leftover[]): readonly Leftover[] =>
  cgroups.filter(({ path }) => removeCgroup(path));

/**
 * How long a leftover run may take to end after SIGTERM, ms. Its own stop timeout is unknown, because no
 * registered manifest declares the service.
 */
const ASKED_MS = 10_000;
const LOOK_MS = 50;
/** How long the kernel may take to end killed processes, ms. */
const DYING_MS = 2_000;

/** Resolves to the recorded services. They are needed to find some processes of other users. */
const knownIn = (dataDir: string): Promise<readonly KnownService[]> =>
  knownServices(peekStore(dataDir).services);

/**
 * Resolves to the living runs that no registered manifest declares. If `projects` is `undefined`, these are
 * the runs of all projects.
 */
export const livingLeft = async (
  dataDir: string,
  registered: RegisteredNames,
  projects: readonly string[] | undefined,
): Promise<readonly Found[]> =>
  (await livingRuns(dataDir, await knownIn(dataDir))).filter(({ service }) => {
    const project = projectOf(service);
    return !registered.services.has(service) && (projects === undefined || projects.includes(project));
  });

const endOne = async (dataDir: string, { service, run, process }: Found): Promise<void> => {
  const scanner = processScanner({ dataDir });
  const members = (): Promise<readonly ProcessRef[]> =>
    firstValueFrom(scanner.membersOf(service, run, process), { defaultValue: [] });
  const until = performance.now() + ASKED_MS;
  signalEach(await members(), 'SIGTERM');
  while (performance.now() < until) {
    if ((await members()).length === 0) return;
    await pause(LOOK_MS);
  }
  const kill$ = killRun(scanner, { service, run, leader: process, targets: await members() });
  await lastValueFrom(kill$, { defaultValue: undefined });
};

/**
 * Waits until no run of these services is alive. Resolves to a run that is still alive after `DYING_MS`, if
 * any.
 */
const survivorOf = async (dataDir: string, asked: ReadonlySet<ServiceId>): Promise<Found | undefined> => {
  const until = performance.now() + DYING_MS;
  for (;;) {
    const left = (await livingRuns(dataDir, await knownIn(dataDir))).find(({ service }) =>
      asked.has(service),
    );
    if (left === undefined || performance.now() > until) return left;
    await pause(LOOK_MS);
  }
};

/** Ends the runs `living`. Resolves when all have ended; rejects with ERR0112 if a process survives. */
export const endLeft = async (dataDir: string, living: readonly Found[]): Promise<void> => {
  await Promise.all(living.map((found) => endOne(dataDir, found)));
  const left = await survivorOf(dataDir, new Set(living.map(({ service }) => service)));
  if (left === undefined) return;
  const { service, process } = left;
  throw failure({ code: 'ERR0112', service, survivors: [process.pid], waited: ms(ASKED_MS) });
};
