// Five hundred services whose processes are killed one after the other, at a constant rate.
import { setTimeout as pause } from 'node:timers/promises';
import { projectOf } from '../subjects/manifest.ts';
import type { Sup } from '../subjects/sup.ts';
import { cpuOf } from './processes.ts';

export const SERVICES = 500;
/** State changes that each exit causes: exit, backoff, start, running. */
const CHANGES_EACH = 4;
const CHANGES_A_SECOND = 100;

/** Returns a manifest of five hundred services that start again a second after their end. */
export const killableServices = (): string => {
  const service = {
    exec: ['/bin/sleep', '3600'],
    restart_policy: 'always',
    backoff: '1s',
    max_restarts: 100_000,
  };
  return projectOf(Object.fromEntries(Array.from({ length: SERVICES }, (_, at) => [`s${at}`, service])));
};

interface Kill {
  /** The time on the clock of `performance`, ms. */
  readonly at: number;
  readonly pid: number;
}

/** The kills of each service, by its name. */
export type Kills = Map<string, readonly Kill[]>;

const pidsOf = async (sup: Sup): Promise<ReadonlyMap<string, number>> => {
  const client = await sup.connect();
  const { projects } = await client.call('status', {});
  client.close();
  return new Map(
    projects.flatMap(({ services }) =>
      services.flatMap(({ name, pid }) => (pid === null ? [] : [[name, pid] as const])),
    ),
  );
};

const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process was killed in the previous round, and the new one has not been reported yet.
  }
};

/** The CPU use of each process in percent of one core, over all rounds. */
type CpuUse = readonly number[];

const LAST_CHANGES_MS = 1_500;

const killRound = async (sup: Sup, seconds: number, kills: Kills): Promise<void> => {
  const gap = (1_000 * CHANGES_EACH) / CHANGES_A_SECOND;
  const targets = [...(await pidsOf(sup))].slice(0, Math.floor((seconds * 1_000) / gap));
  const began = performance.now();
  for (const [index, [name, pid]] of targets.entries()) {
    await pause(Math.max(0, began + index * gap - performance.now()));
    kills.set(name, [...(kills.get(name) ?? []), { at: performance.now(), pid }]);
    kill(pid);
  }
  await pause(LAST_CHANGES_MS);
};

/** Maximum length of a round, s, so that each service is killed at most once in it. */
const MOST_SECONDS = (SERVICES * CHANGES_EACH) / CHANGES_A_SECOND;

/**
 * Kills processes for this time, and records each kill.
 *
 * @returns the CPU use of each of `pids` during this time, in percent of one core.
 */
export const killAll = async (
  sup: Sup,
  seconds: number,
  { kills, pids }: { readonly kills: Kills; readonly pids: readonly number[] },
): Promise<CpuUse> => {
  const [began, before] = [performance.now(), pids.map(cpuOf)];
  for (let left = seconds; left > 0; left -= MOST_SECONDS)
    await killRound(sup, Math.min(left, MOST_SECONDS), kills);
  const took = performance.now() - began;
  return pids.map((pid, at) => ((cpuOf(pid) - (before[at] ?? 0)) / took) * 100);
};

interface Seen {
  readonly name: string;
  readonly pid: number | null;
  readonly state: string;
}

/**
 * Returns `see`, to be called with each service that a message to a client contains, and `delays`: the times
 * from a kill until the first message about it. `at`: the time of the message on the clock of `performance`.
 */
export const delaysOf = (
  kills: Kills,
): { readonly delays: readonly number[]; readonly see: (seen: Seen, at?: number) => void } => {
  const delays: number[] = [];
  const told = new Map<string, number>();
  return {
    delays,
    see: ({ name, pid, state }, at = performance.now()) => {
      const last = kills.get(name)?.findLast((each) => each.at <= at);
      if (last === undefined || told.get(name) === last.at) return;
      if (pid === last.pid && state === 'running') return;
      told.set(name, last.at);
      delays.push(at - last.at);
    },
  };
};
