// Handles services that a manifest no longer declares. `start` removes the services that are down, and warns
// about those that run; only `apply` and `restart` stop them. A service that is declared again during its
// removal is not removed, and starts again if it was meant to run.
// Rules: `docs/behaviour.md`, "Restart by hand", "Declared again".
import { groupOf, shownId, type ServiceId } from '../../domain/ids.ts';
import type { LoadResult, Manifest } from '../../domain/declared/manifest.ts';
import type { Service, Tag } from '../../domain/service/service.ts';
import { changeState, find, put, type Draft } from '../draft.ts';
import { undeclared } from '../register-manifests.ts';
import { beginRemoval } from '../rules/remove-undeclared.ts';
import { servicesOf } from '../service-table.ts';
import { send } from '../send.ts';
import { decide } from './answer/awaited-services.ts';
import { isBack } from './selected-services.ts';
import { calledOff } from './answer/target-outcome.ts';

const RESTING: ReadonlySet<Tag> = new Set<Tag>(['down', 'broken']);

const rests = ({ actual }: Service): boolean => RESTING.has(actual.tag);

const warningOf = (why: string, services: readonly Service[]): readonly string[] => {
  const names = services.map(({ spec }) => shownId(spec.id)).join(', ');
  const them = services.length > 1 ? 'them' : 'it';
  return services.length === 0 ? [] : [`still running, ${why}: ${names}; \`sup apply\` stops ${them}`];
};

interface Undeclared {
  readonly ids: ReadonlySet<ServiceId>;
  /**
   * The warnings about services that still run although they are not declared any more, or their profiles are
   * not chosen.
   */
  readonly warnings: readonly string[];
}

/**
 * Removes undeclared services that are down. Returns the ids of all undeclared services, and warnings about
 * those that run.
 */
export const takeLeave = (draft: Draft, manifests: readonly Manifest[]): Undeclared => {
  const gone = undeclared(draft.state, manifests);
  gone.filter(rests).forEach((service) => beginRemoval(draft, service));
  const profiled = new Set(manifests.flatMap(({ profiles = [] }) => profiles.map(({ service }) => service)));
  const isUnchosen = ({ spec: { id } }: Service): boolean => profiled.has(groupOf(id));
  const running = gone.filter((service) => !rests(service));
  return {
    ids: new Set(gone.map(({ spec }) => spec.id)),
    warnings: [
      ...warningOf(
        'no longer declared',
        running.filter((service) => !isUnchosen(service)),
      ),
      ...warningOf('of a profile that is not chosen', running.filter(isUnchosen)),
    ],
  };
};

/** Records why manifests cannot be loaded, for `status`, until they load again. */
export const keepProblems = (draft: Draft, loads: readonly LoadResult[]): void => {
  const broken = loads.filter(
    ({ path, manifest }) => manifest === undefined && path in draft.state.manifests,
  );
  const problems = Object.fromEntries(broken.map((load) => [load.path, load.problems]));
  changeState(draft, { manifests: { ...draft.state.manifests, ...problems } });
};

/** Fails the commands that were removing the service, because the service is declared again. */
const tellRemoving = (draft: Draft, { spec: { id }, awaitedBy }: Service): void => {
  for (const request of awaitedBy) {
    const { command, turn } = draft.state.requests[request] ?? {};
    if ((command?.type === 'restart' || command?.type === 'apply') && turn !== id)
      decide(draft, { request, service: id, failure: calledOff(id) });
  }
};

/** Starts services that were declared again during their removal. */
export const comeBack = (draft: Draft): void => {
  if (draft.state.phase !== 'running') return;
  for (const service of servicesOf(draft.state.serviceTable).filter(isBack)) {
    const { id } = service.spec;
    put(draft, { ...service, resume: false });
    send(draft, id, { type: 'start', insisted: false });
    const back = find(draft, id);
    if (back !== undefined) tellRemoving(draft, back);
  }
};
