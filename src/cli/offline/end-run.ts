// The end of one recorded run without a supervisor: the stop signal to its whole tree, SIGKILL after `stop_timeout`,
// then a look whether anybody is left (`spec/gaps` §3 "Stop").
import { setTimeout as pause } from 'node:timers/promises';
import { lastValueFrom } from 'rxjs';
import type { SupError } from '../../streams/domain/error.ts';
import { runId, shownId } from '../../streams/domain/ids.ts';
import type { Census } from '../../streams/domain/ports.ts';
import type { ProcessRef } from '../../streams/domain/process.ts';
import type { Service } from '../../streams/domain/service.ts';
import { DEFAULT_SETTINGS } from '../../streams/domain/settings.ts';
import type { Ms } from '../../streams/domain/time.ts';
import { hunt } from '../../sinks/process/hunt.ts';
import { signalEach } from '../../sinks/process/strike.ts';

export type Outcome = 'was-down' | 'stopped' | SupError;

/** Stands for a leader that was never recorded: nobody has this pid, so only the mark tells who belongs to the run. */
const UNKNOWN_LEADER: ProcessRef = { pid: -1, startTicks: 0 };

const leaderOf = ({ actual }: Service): ProcessRef => ('process' in actual ? actual.process : UNKNOWN_LEADER);

export interface Target {
  readonly service: Service;
  readonly census: Census;
  readonly say: (text: string) => void;
}

const membersOf = ({ service, census }: Target): Promise<readonly ProcessRef[]> =>
  lastValueFrom(census.membersOf(service.spec.id, runId(service.runs), leaderOf(service)), {
    defaultValue: [],
  });

/** Looks until nobody is left or the time is spent; who is left then. */
const awaitEnd = async (target: Target, limit: Ms): Promise<readonly ProcessRef[]> => {
  const until = performance.now() + limit;
  for (let wait = 5; ; wait = Math.min(wait * 2, 100)) {
    const alive = await membersOf(target);
    if (alive.length === 0 || performance.now() >= until) return alive;
    await pause(wait);
  }
};

export const endRun = async (target: Target): Promise<Outcome> => {
  const { service, census, say } = target;
  const { id, stopSignal, stopTimeout } = service.spec;
  const members = await membersOf(target);
  if (members.length === 0) return 'was-down';
  signalEach(members, stopSignal);
  const stubborn = await awaitEnd(target, stopTimeout);
  if (stubborn.length === 0) return 'stopped';
  say(`${shownId(id)} is alive after ${stopSignal}: SIGKILL to ${stubborn.map(({ pid }) => pid).join(', ')}`);
  const quarry = { service: id, run: runId(service.runs), leader: leaderOf(service), targets: stubborn };
  await lastValueFrom(hunt(census, quarry), { defaultValue: undefined });
  const waited = DEFAULT_SETTINGS.stopVerify;
  const left = await awaitEnd(target, waited);
  if (left.length === 0) return 'stopped';
  return { code: 'ERR0112', service: id, survivors: left.map(({ pid }) => pid), waited };
};
