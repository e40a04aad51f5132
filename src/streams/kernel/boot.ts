// The first step of a supervisor: what the last one left, held against what the process table says now
// (`docs/behaviour.md`, "Adoption": services run on, and there is never a second copy).
import type { Event, Found } from '../domain/event.ts';
import type { Service, ServiceState } from '../domain/service.ts';
import { buildGraph } from '../graph/graph.ts';
import { presentRun } from '../service/input.ts';
import { UNPROBED } from '../service/health.ts';
import { ended } from '../service/schedule.ts';
import { find, put, revisit, type Draft } from './draft.ts';
import { send } from './send.ts';
import { register } from './register.ts';
import { rosterOf, servicesOf } from './roster.ts';
import type { Instant } from '../domain/time.ts';

type Booted = Extract<Event, { type: 'booted' }>;

const HAD_A_RUN: ReadonlySet<string> = new Set(['preparing', 'spawning', 'starting', 'up', 'stopping']);
const WAITING: ServiceState = { tag: 'waiting', for: 'dependencies' };

/** The leader of a newer run than the state file knows, or of the run whose spawn it did not see confirmed. */
const adopted = (service: Service, found: Found, at: Instant): Service => {
  const knows = 'process' in service.actual && service.runs === (found.run as number);
  if (knows) return service;
  return {
    ...service,
    runs: found.run,
    actual: { tag: 'starting', run: found.run, process: found.process, since: at, health: UNPROBED },
  };
};

const withoutProcess = (service: Service, sameBoot: boolean): ServiceState => {
  const { actual, wanted } = service;
  const confirmed = sameBoot && 'process' in actual;
  if (confirmed || !HAD_A_RUN.has(actual.tag)) return actual.tag === 'waiting' ? WAITING : actual;
  if (wanted === 'down') return { tag: 'down', why: { tag: 'asked' } };
  return service.spec.kind === 'cron' ? { tag: 'scheduled' } : WAITING;
};

/** Nothing of its run is left, and nobody saw how it ended. */
const withoutRun = (service: Service, sameBoot: boolean, at: Instant): Service => {
  const actual = withoutProcess(service, sameBoot);
  const lost = HAD_A_RUN.has(service.actual.tag) && !HAD_A_RUN.has(actual.tag);
  const schedule = lost ? ended(service.schedule, { at, result: 'unknown' }) : service.schedule;
  return { ...service, actual, schedule };
};

const restore = (service: Service, booted: Booted, at: Instant): Service => {
  const idle: Service = {
    ...service,
    wanted: service.resume ? 'up' : service.wanted,
    resume: false,
    awaitedBy: [],
    gate: 'none',
  };
  const found = booted.found.find((one) => one.service === service.spec.id && one.run >= presentRun(service));
  if (found !== undefined) return adopted(idle, found, at);
  return withoutRun(idle, booted.sameBoot, at);
};

const isBulk = ({ wanted, actual }: Service): boolean =>
  wanted === 'up' && (actual.tag === 'waiting' || (actual.tag === 'down' && actual.why.tag === 'asked'));

/** Whoever is wanted and rests waits for its turn, through the gate, with the attempts and the backoff it had. */
const waiting = (service: Service): Service =>
  isBulk(service) && service.spec.kind !== 'cron'
    ? { ...service, actual: WAITING, gate: 'pending' }
    : service;

/** A schedule looks for its next boundary; everybody else goes on where the last supervisor left it. */
const goOn = (draft: Draft, service: Service): void => {
  const { id, kind } = service.spec;
  const idle = service.actual.tag === 'scheduled' || (kind === 'cron' && isBulk(service));
  if (idle) send(draft, id, { type: 'start', insisted: false });
  revisit(draft, id);
};

/** Alive by its mark, although no state file knows of it any more: it is adopted, and wanted. */
const adoptUnrecorded = (draft: Draft, { restored, found }: Booted): void => {
  const recorded = new Set(restored.map(({ spec }) => spec.id));
  for (const one of found.filter(({ service }) => !recorded.has(service))) {
    const service = find(draft, one.service);
    if (service !== undefined) put(draft, adopted({ ...service, wanted: 'up' }, one, draft.at));
  }
};

export const boot = (draft: Draft, booted: Booted): void => {
  const restored = booted.restored.map((service) => waiting(restore(service, booted, draft.at)));
  draft.state = {
    ...draft.state,
    settings: booted.settings,
    warnings: booted.warnings,
    roster: rosterOf(restored),
    graph: buildGraph(restored.map(({ spec }) => spec)),
  };
  for (const { path, load } of booted.registered) {
    if (load.manifest) register(draft, load.manifest, load.problems);
    else draft.state = { ...draft.state, manifests: { ...draft.state.manifests, [path]: load.problems } };
  }
  adoptUnrecorded(draft, booted);
  servicesOf(draft.state.roster).forEach(({ spec }) => draft.services.add(spec.id));
  servicesOf(draft.state.roster).forEach((service) => goOn(draft, service));
};
