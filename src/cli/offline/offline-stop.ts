// `sup stop` without a supervisor: stops what the last one recorded, as it would itself. The lock keeps a supervisor
// from starting meanwhile, and what was stopped is recorded as not wanted.
import { lastValueFrom } from 'rxjs';
import type { Done, Selection } from '../../streams/domain/command.ts';
import type { SupError } from '../../streams/domain/error.ts';
import type { ServiceId } from '../../streams/domain/ids.ts';
import type { Service } from '../../streams/domain/service.ts';
import { ms } from '../../streams/domain/time.ts';
import { buildGraph, nodeOf } from '../../streams/graph/graph.ts';
import { stateWriter } from '../../sinks/store/state-writer.ts';
import { procCensus } from '../../sources/process/census.ts';
import { acquireLock } from '../../sources/store/lock.ts';
import type { Context } from '../context.ts';
import { endRun, type Outcome, type Target } from './end-run.ts';
import { Failure, failure } from '../failure.ts';
import { remark } from '../print.ts';
import { readRecorded, selectRecorded, type Recorded } from './recorded.ts';

/** All at once, but each only after those that depend on it. */
const endAll = async (targets: readonly Target[]): Promise<ReadonlyMap<ServiceId, Outcome>> => {
  const graph = buildGraph(targets.map(({ service }) => service.spec));
  const byId = new Map(targets.map((target) => [target.service.spec.id, target]));
  const ending = new Map<ServiceId, Promise<Outcome>>();
  const endAfterDependents = async (id: ServiceId, target: Target): Promise<Outcome> => {
    await Promise.all(nodeOf(graph, id).neededBy.map(ended));
    return endRun(target);
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
  // What was down already stays what it was: a one-shot that is done is done.
  actual: service.actual.tag === 'down' ? service.actual : { tag: 'down', why: { tag: 'asked' } },
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
    await lastValueFrom(writer.flush({ project, services: updated }), { defaultValue: undefined });
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
