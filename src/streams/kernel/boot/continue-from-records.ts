// The first step of a supervisor: compares the records of the previous supervisor with the process table.
// Live runs are adopted, so that no service runs twice (`docs/behaviour.md`, "Adoption").
// Rules: `docs/behaviour.md`, "One supervisor"; `docs/behaviour.md`, "Saved state".
import type { Event, Found } from '../../domain/event.ts';
import type { Run } from '../../domain/service/service-run.ts';
import type { Service } from '../../domain/service/service.ts';
import { messageOf } from '../../domain/errors/thrown.ts';
import { shownId, type RunId } from '../../domain/ids.ts';
import { caughtUp } from '../../cron/catch-up.ts';
import { childrenRestored } from '../../children/recorded-children.ts';
import { adoptUndeclaredRuns, foundByService, isOnRecord, WAITING, withLeftoverRuns } from './adopt-runs.ts';
import { clamped, clampedRequest } from '../clock-set.ts';
import { afterShutdown } from './left-stopped.ts';
import { startUnrecorded } from './lost-records.ts';
import { continueClosing } from '../supervisor-end.ts';
import { changeState, find, put, putRequest, revisit, type Draft } from '../draft.ts';
import { send } from '../send.ts';
import { comeBack } from '../requests/declared-again.ts';
import { graphOf, register, withReading } from '../register-manifests.ts';
import { longestTurn } from '../requests/restart-in-turn.ts';
import { restored as restoredWith } from '../rollouts/restored-rollout.ts';
import { scaledManifest } from '../rollouts/number-of-instances.ts';
import { takeSlots, tellSlots } from '../rollouts/traffic-slot.ts';
import { serviceTableOf, serviceAt, servicesOf } from '../service-table.ts';
import type { SupervisorState } from '../state.ts';
import type { Instant } from '../../domain/time.ts';
import { resolvedRun } from '../../rollout/placeholders.ts';
import { childOf } from '../../children/family.ts';
import { spawnOfChild } from '../../children/child-as-run.ts';
import type { EffectOf } from '../../domain/effect.ts';

// A spawn that was decided but not begun before a re-exec is requested again (`docs/reliability.md`,
// "Upgrade").

type Spawn = EffectOf<'spawn'>;

const isSpawning = ({ actual }: Pick<Service, 'actual'>, run: RunId): boolean =>
  actual.tag === 'spawning' && actual.run === run;

const ofRun = ({ spec, lane: fifoPair = 0 }: Run, run: RunId): readonly Spawn[] => [
  { type: 'spawn', service: spec.id, run, spec, fifoPair },
];

/** Returns the effect that spawns this run; an empty list if the run does not wait for a process any more. */
const spawnUnbegun = (service: Service | undefined, run: RunId): readonly Spawn[] => {
  if (service === undefined) return [];
  const own = (['current', 'other'] as const)
    .map((which) => resolvedRun(service, which))
    .find((one) => one !== undefined && isSpawning(one, run));
  if (own !== undefined) return ofRun(own, run);
  const child = childOf(service, run);
  return child !== undefined && isSpawning(child, run) ? [spawnOfChild(service, child)] : [];
};

type Booted = Extract<Event, { type: 'booted' }>;

interface BootFacts {
  readonly found: ReturnType<typeof foundByService>;
  readonly sameBoot: boolean;
}

const restore = (service: Service, { found: all, sameBoot }: BootFacts, at: Instant): Service => {
  const idle: Service = {
    ...service,
    wanted: service.resume && !service.leaving ? 'up' : service.wanted,
    resume: service.resume && service.leaving,
    awaitedBy: [],
    gate: 'none',
  };
  const found = all.get(service.spec.id) ?? [];
  const leaders = found.filter((one) => !one.orphaned && !one.child && isOnRecord(service, one));
  const known = restoredWith(clamped(idle, at), { found: leaders, sameBoot, at });
  return withLeftoverRuns(childrenRestored(known, { found, sameBoot, at }), found, at);
};

/**
 * Returns the restored service. If its record cannot be used, returns a warning instead, and the service is
 * treated as if it had never run.
 */
const restoredOr = (service: Service, bootFacts: BootFacts, at: Instant): Service | string => {
  try {
    return waiting(restore(service, bootFacts, at));
  } catch (error) {
    const id = shownId(service.spec.id);
    return `${id} begins as if it had never run, because its record cannot be continued: ${messageOf(error)}`;
  }
};

const isBulk = ({ wanted, actual }: Service): boolean =>
  wanted === 'up' && (actual.tag === 'waiting' || (actual.tag === 'down' && actual.why.tag === 'asked'));

/**
 * Returns the service. If it should run and is waiting or stopped, its state becomes `waiting`, and it must
 * pass the gate. Any other state, such as backoff, does not change.
 */
const waiting = (service: Service): Service =>
  isBulk(service) && service.spec.kind !== 'cron'
    ? { ...service, actual: WAITING, gate: 'pending' }
    : service;

/** Starts or stops a restored service if necessary. For a cron service, computes its next scheduled time. */
const continueService = (draft: Draft, service: Service): void => {
  const { id, kind } = service.spec;
  const idle = service.actual.tag === 'scheduled' || (kind === 'cron' && isBulk(service));
  if (idle) {
    put(draft, caughtUp(service, service.revised ?? service.spec, draft.at));
    send(draft, id, { type: 'start', insisted: false });
  }
  revisit(draft, id);
};

/**
 * Returns all known projects: those of the registered manifests, and those of the restored services for which
 * no manifest can be loaded now.
 */
const recordedProjects = (draft: Draft, { registered, restored }: Booted): SupervisorState['projects'] => {
  const whole = new Set(registered.flatMap(({ path, load }) => (load.manifest ? [path] : [])));
  const recorded = restored
    .filter(({ spec }) => !whole.has(spec.manifest))
    .map(({ spec: { project, manifest } }) => [project, { id: project, name: project, manifest }] as const);
  return { ...Object.fromEntries(recorded), ...draft.state.projects };
};

const noteLeftoverRuns = (draft: Draft, { spec: { id }, remnants = [] }: Service): void =>
  remnants.forEach(({ run, process }) =>
    draft.effects.push({
      type: 'note',
      level: 'warn',
      service: id,
      text: `run ${run} left processes behind (pid ${process.pid}): they are ended before it starts again`,
    }),
  );

const noteUndeclaredRun = (draft: Draft, { service, run, process: { pid } }: Found): void => {
  const text = `${shownId(service)} is alive (run ${run}, pid ${pid}), and no registered manifest declares it`;
  draft.effects.push({ type: 'note', level: 'warn', text });
};

/** Returns the restored services in manifest order; undeclared ones come last. */
const inOrder = ({ restored, registered }: Booted): readonly Service[] => {
  const declared = registered.flatMap(({ load }) => load.manifest?.services ?? []);
  const places = new Map(declared.map(({ id }, place) => [id, place]));
  const placeOf = ({ spec }: Service): number => places.get(spec.id) ?? declared.length;
  return restored.toSorted((a, b) => placeOf(a) - placeOf(b));
};

/** Returns for each record the restored service, or a warning if the record cannot be continued. */
const restoredAll = (booted: Booted, at: Instant): readonly (Service | string)[] =>
  booted.continued === true
    ? booted.restored.map((service) => clamped(service, at))
    : allRestored(booted, at);

const allRestored = (booted: Booted, at: Instant): readonly (Service | string)[] => {
  const bootFacts = { found: foundByService(booted.found), sameBoot: booted.sameBoot };
  return inOrder(booted).map((service) => restoredOr(service, bootFacts, at));
};

/** Logs leftover and undeclared runs, then starts or stops each service if necessary. */
const takeUp = (draft: Draft): void => {
  const services = servicesOf(draft.state.serviceTable);
  services.forEach((service) => noteLeftoverRuns(draft, service));
  draft.state.undeclaredRuns.forEach((found) => noteUndeclaredRun(draft, found));
  services.forEach((service) => continueService(draft, service));
};

/** Continues services and unanswered commands after a re-exec in the same process. */
const carryOn = (draft: Draft, { unbegun = [] }: Booted): void => {
  for (const one of unbegun) draft.effects.push(...spawnUnbegun(find(draft, one.service), one.run));
  for (const request of Object.values(draft.state.requests)) {
    const longest =
      request.turn === undefined ? draft.state.settings.startSettle : longestTurn(draft, request.turn);
    putRequest(draft, clampedRequest(request, draft.at, longest));
  }
  servicesOf(draft.state.serviceTable).forEach(({ spec }) => revisit(draft, spec.id));
};

/**
 * Restores the recorded services, then registers the manifests, and records the problems of those that cannot
 * be read.
 */
export const boot = (draft: Draft, event: Booted): void => {
  const booted = afterShutdown(event);
  const all = restoredAll(booted, draft.at);
  const restored = all.filter((one) => typeof one !== 'string');
  const broken = all.filter((one) => typeof one === 'string');
  draft.effects.push(...broken.map((text) => ({ type: 'note', level: 'warn', text }) as const));
  const serviceTable = serviceTableOf(restored);
  changeState(draft, {
    settings: booted.settings,
    warnings: [...new Set([...booted.warnings, ...broken, ...draft.state.warnings])],
    serviceTable,
    graph: graphOf(serviceTable),
    undeclaredRuns: [
      ...draft.state.undeclaredRuns,
      ...booted.found.filter(({ service }) => serviceAt(serviceTable, service) === undefined),
    ],
  });
  if (booted.scales !== undefined) changeState(draft, { scales: booted.scales });
  for (const { path, load, reading } of booted.registered) {
    if (load.manifest) register(draft, scaledManifest(load.manifest, draft.state.scales), load.problems);
    else
      changeState(draft, {
        manifests: { ...draft.state.manifests, [path]: load.problems },
        ...withReading(draft.state.readings, path, reading),
      });
  }
  const loads = booted.registered.map(({ load }) => load);
  takeSlots(draft, loads);
  if (booted.continued !== true && draft.state.phase === 'running') tellSlots(draft, loads);
  adoptUndeclaredRuns(draft);
  comeBack(draft);
  changeState(draft, { projects: recordedProjects(draft, booted) });
  servicesOf(draft.state.serviceTable).forEach(({ spec }) => draft.services.add(spec.id));
  if (booted.closing !== undefined) continueClosing(draft, booted.closing);
  if (booted.continued === true) carryOn(draft, booted);
  else {
    startUnrecorded(draft, booted);
    takeUp(draft);
  }
};
