// `sup stop` without a supervisor: stops what the last one recorded, as it would itself: the stop signal to the whole
// tree, SIGKILL after `stop_timeout`, then a look whether anybody is left (`spec/gaps` §3 "Stop"). The lock keeps a
// supervisor from starting meanwhile, and what was stopped is recorded as not wanted.
import { setTimeout as pause } from 'node:timers/promises';
import type { Done, Selection } from '../streams/domain/command.ts';
import type { SupError } from '../streams/domain/error.ts';
import { runId, shownId, type ServiceId } from '../streams/domain/ids.ts';
import type { Census } from '../streams/domain/ports.ts';
import type { ProcessRef } from '../streams/domain/process.ts';
import type { Service } from '../streams/domain/service.ts';
import { DEFAULT_SETTINGS } from '../streams/domain/settings.ts';
import { ms, type Ms } from '../streams/domain/time.ts';
import { buildGraph, nodeOf } from '../streams/graph/graph.ts';
import { hunt } from '../sinks/process/hunt.ts';
import { signalEach } from '../sinks/process/strike.ts';
import { stateWriter } from '../sinks/store/state-writer.ts';
import { procCensus } from '../sources/process/census.ts';
import { acquireLock } from '../sources/store/lock.ts';
import type { Context } from './context.ts';
import { Failure, failure } from './failure.ts';
import { remark } from './print.ts';
import { readRecorded, selectRecorded, type Recorded } from './recorded.ts';

type Outcome = 'was-down' | 'stopped' | SupError;

/** Stands for a leader that was never recorded: nobody has this pid, so only the mark tells who belongs to the run. */
const UNKNOWN_LEADER: ProcessRef = { pid: -1, startTicks: 0 };

const leaderOf = ({ actual }: Service): ProcessRef => ('process' in actual ? actual.process : UNKNOWN_LEADER);

interface Target {
  readonly service: Service;
  readonly census: Census;
  readonly say: (text: string) => void;
}

const membersOf = ({ service, census }: Target): Promise<readonly ProcessRef[]> =>
  census.membersOf(service.spec.id, runId(service.runs), leaderOf(service));

/** Looks until nobody is left or the time is spent; who is left then. */
const awaitEnd = async (target: Target, limit: Ms): Promise<readonly ProcessRef[]> => {
  const until = performance.now() + limit;
  for (let wait = 5; ; wait = Math.min(wait * 2, 100)) {
    const alive = await membersOf(target);
    if (alive.length === 0 || performance.now() >= until) return alive;
    await pause(wait);
  }
};

const end = async (target: Target): Promise<Outcome> => {
  const { service, census, say } = target;
  const { id, stopSignal, stopTimeout } = service.spec;
  const members = await membersOf(target);
  if (members.length === 0) return 'was-down';
  signalEach(members, stopSignal);
  const stubborn = await awaitEnd(target, stopTimeout);
  if (stubborn.length === 0) return 'stopped';
  say(`${shownId(id)} is alive after ${stopSignal}: SIGKILL to ${stubborn.map(({ pid }) => pid).join(', ')}`);
  await hunt(census, { service: id, run: runId(service.runs), leader: leaderOf(service), targets: stubborn });
  const waited = DEFAULT_SETTINGS.stopVerify;
  const left = await awaitEnd(target, waited);
  if (left.length === 0) return 'stopped';
  return { code: 'ERR0112', service: id, survivors: left.map(({ pid }) => pid), waited };
};

/** All at once, but each only after those that depend on it. */
const endAll = async (targets: readonly Target[]): Promise<ReadonlyMap<ServiceId, Outcome>> => {
  const graph = buildGraph(targets.map(({ service }) => service.spec));
  const byId = new Map(targets.map((target) => [target.service.spec.id, target]));
  const ending = new Map<ServiceId, Promise<Outcome>>();
  const endAfterDependents = async (id: ServiceId, target: Target): Promise<Outcome> => {
    await Promise.all(nodeOf(graph, id).neededBy.map(ended));
    return end(target);
  };
  const ended = (id: ServiceId): Promise<Outcome> => {
    const target = byId.get(id);
    if (target === undefined) return Promise.resolve('was-down');
    const begun = ending.get(id) ?? endAfterDependents(id, target);
    ending.set(id, begun);
    return begun;
  };
  const outcomes = await Promise.all([...byId.keys()].map(async (id) => [id, await ended(id)] as const));
  return new Map(outcomes);
};

const asStopped = (service: Service): Service => ({
  ...service,
  wanted: 'down',
  actual: { tag: 'down', why: { tag: 'asked' } },
  gate: 'none',
  awaitedBy: [],
});

/** Whoever is stopped now is not to be started by the next supervisor. */
const record = async (
  { dataDir }: Context,
  { services, projects }: Recorded,
  down: ReadonlySet<ServiceId>,
): Promise<void> => {
  const writer = stateWriter({ dataDir, onTrouble: () => undefined });
  for (const { id: project } of Object.values(projects)) {
    const members = services.filter(({ spec }) => spec.project === project);
    if (!members.some(({ spec }) => down.has(spec.id))) continue;
    const updated = members.map((service) => (down.has(service.spec.id) ? asStopped(service) : service));
    await writer.flush({ project, services: updated });
  }
};

const verdict = (failures: readonly SupError[]): void => {
  const [first, ...others] = failures.map((error) => failure(error).document);
  if (first === undefined) return;
  throw new Failure(others.length === 0 ? first : { ...first, errors: others });
};

const stopSelected = async (context: Context, selection: Selection): Promise<Done> => {
  const recorded = readRecorded(context);
  const chosen = selectRecorded(recorded, selection);
  const census = procCensus({ dataDir: context.dataDir });
  const say = (text: string): void => remark(context, text);
  const targets = recorded.services
    .filter(({ spec }) => chosen.has(spec.id))
    .map((service) => ({ service, census, say }));
  const outcomes = [...(await endAll(targets))];
  const failures = outcomes.flatMap(([, outcome]) => (typeof outcome === 'string' ? [] : [outcome]));
  const down = new Set(outcomes.filter(([, outcome]) => typeof outcome === 'string').map(([id]) => id));
  await record(context, recorded, down);
  verdict(failures);
  const services = outcomes.filter(([, outcome]) => outcome === 'stopped').map(([id]) => id);
  return { services, warnings: recorded.warnings };
};

/** Throws ERR0206 when nothing is recorded, ERR0205 when a supervisor is just starting, ERR0112 for who would not die. */
export const offlineStop = async (context: Context, selection: Selection): Promise<Done> => {
  if (readRecorded(context).services.length === 0)
    throw failure({ code: 'ERR0206', dataDir: context.dataDir });
  const outcome = acquireLock(context.dataDir);
  if (outcome.tag === 'unusable') throw failure(outcome.error);
  if (outcome.tag === 'held') throw failure({ code: 'ERR0205', pid: outcome.by, waited: ms(0) });
  try {
    return await stopSelected(context, selection);
  } finally {
    outcome.lock.release();
  }
};
