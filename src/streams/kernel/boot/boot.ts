// The first step of a supervisor: what the last one left, held against what the process table says now
// (`docs/behaviour.md`, "Adoption": services run on, and there is never a second copy).
import type { Event } from '../../domain/event.ts';
import type { Service } from '../../domain/service/service.ts';
import { adopted, WAITING } from './adoption.ts';
import { find, put, revisit, type Draft } from '../draft.ts';
import { send } from '../send.ts';
import { graphOf, register } from '../register.ts';
import { restored as restoredWith } from '../rollouts/restore.ts';
import { takeSlots } from '../rollouts/slots.ts';
import { rosterOf, servicesOf } from '../roster.ts';
import type { Instant } from '../../domain/time.ts';

type Booted = Extract<Event, { type: 'booted' }>;

const restore = (service: Service, booted: Booted, at: Instant): Service => {
  const idle: Service = {
    ...service,
    wanted: service.resume ? 'up' : service.wanted,
    resume: false,
    awaitedBy: [],
    gate: 'none',
  };
  const found = booted.found
    .filter((one) => one.service === service.spec.id)
    .toSorted((a, b) => a.run - b.run);
  return restoredWith(idle, { found, sameBoot: booted.sameBoot, at });
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
    graph: graphOf(rosterOf(restored)),
  };
  for (const { path, load } of booted.registered) {
    if (load.manifest) register(draft, load.manifest, load.problems);
    else draft.state = { ...draft.state, manifests: { ...draft.state.manifests, [path]: load.problems } };
  }
  takeSlots(
    draft,
    booted.registered.map(({ load }) => load),
  );
  adoptUnrecorded(draft, booted);
  servicesOf(draft.state.roster).forEach(({ spec }) => draft.services.add(spec.id));
  servicesOf(draft.state.roster).forEach((service) => goOn(draft, service));
};
