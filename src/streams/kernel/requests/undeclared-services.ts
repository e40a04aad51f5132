// Services that a manifest no longer declares, at a `start`: those that are down are removed; running ones
// continue, with a warning. Only `apply` and `restart` stop such a service. A service that is declared again
// before its removal is complete stays. It starts again if it was meant to run when its removal began; if a
// user had stopped it before, it stays down.
// Rules: `docs/behaviour.md`, "Restart by hand", "Declared again".
import { shownId, type ServiceId } from '../../domain/ids.ts';
import type { LoadResult, Manifest } from '../../domain/declared/manifest.ts';
import type { Service, Tag } from '../../domain/service/service.ts';
import { changeState, find, put, type Draft } from '../draft.ts';
import { undeclared } from '../register-manifests.ts';
import { leave } from '../rules/remove-undeclared.ts';
import { servicesOf } from '../service-table.ts';
import { send } from '../send.ts';
import { decide } from './awaited-services.ts';
import { isBack } from './selected-services.ts';
import { calledOff } from './target-outcome.ts';

/** States without a run that do not change by themselves. */
const RESTING: ReadonlySet<Tag> = new Set<Tag>(['down', 'broken']);

const rests = ({ actual }: Service): boolean => RESTING.has(actual.tag);

const warningOf = (names: readonly string[]): readonly string[] => {
  const them = names.length > 1 ? 'them' : 'it';
  return names.length === 0
    ? []
    : [`still running, no longer declared: ${names.join(', ')}; \`sup apply\` stops ${them}`];
};

interface Undeclared {
  readonly ids: ReadonlySet<ServiceId>;
  /** One warning for each service that continues although it is no longer declared. */
  readonly warnings: readonly string[];
}

/**
 * Removes the undeclared services that are down. Returns all undeclared services, and warnings about those
 * that run.
 */
export const takeLeave = (draft: Draft, manifests: readonly Manifest[]): Undeclared => {
  const gone = undeclared(draft.state, manifests);
  gone.filter(rests).forEach((service) => leave(draft, service));
  const running = gone.filter((service) => !rests(service)).map(({ spec }) => shownId(spec.id));
  return { ids: new Set(gone.map(({ spec }) => spec.id)), warnings: warningOf(running) };
};

/**
 * Records the problems of manifests that cannot be loaded now. `status` shows them until the manifests load.
 */
export const keepProblems = (draft: Draft, loads: readonly LoadResult[]): void => {
  const broken = loads.filter(
    ({ path, manifest }) => manifest === undefined && path in draft.state.manifests,
  );
  const problems = Object.fromEntries(broken.map((load) => [load.path, load.problems]));
  changeState(draft, { manifests: { ...draft.state.manifests, ...problems } });
};

/**
 * Reports a failure to the restart or apply that was removing the service, because the service is declared
 * again. Does nothing if that command is restarting the service now.
 */
const tellRemoving = (draft: Draft, { spec: { id }, awaitedBy }: Service): void => {
  for (const request of awaitedBy) {
    const { command, turn } = draft.state.requests[request] ?? {};
    if ((command?.type === 'restart' || command?.type === 'apply') && turn !== id)
      decide(draft, { request, service: id, failure: calledOff(id) });
  }
};

/** Starts services that were declared again during their removal. Called after manifests were registered. */
export const comeBack = (draft: Draft): void => {
  if (draft.state.phase !== 'running') return;
  for (const service of servicesOf(draft.state.roster).filter(isBack)) {
    const { id } = service.spec;
    put(draft, { ...service, resume: false });
    send(draft, id, { type: 'start', insisted: false });
    const back = find(draft, id);
    if (back !== undefined) tellRemoving(draft, back);
  }
};
