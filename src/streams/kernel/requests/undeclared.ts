// What a manifest does not declare any more, at a `start`: who rests leaves, who runs goes on and is named. Only
// `apply` and `restart` stop anybody.
import { shownId, type ServiceId } from '../../domain/ids.ts';
import type { LoadResult, Manifest } from '../../domain/declared/manifest.ts';
import type { Service, Tag } from '../../domain/service/service.ts';
import type { Draft } from '../draft.ts';
import { undeclared } from '../register.ts';
import { leave } from '../rules/leaving.ts';

/** Nothing of it runs, and nothing will by itself. */
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
  /** Names those who go on. */
  readonly warnings: readonly string[];
}

/** Has those who rest leave. */
export const takeLeave = (draft: Draft, manifests: readonly Manifest[]): Undeclared => {
  const gone = undeclared(draft.state, manifests);
  gone.filter(rests).forEach((service) => leave(draft, service));
  const running = gone.filter((service) => !rests(service)).map(({ spec }) => shownId(spec.id));
  return { ids: new Set(gone.map(({ spec }) => spec.id)), warnings: warningOf(running) };
};

/** Manifests that do not load as they are now: `status` warns of them until they do. */
export const keepProblems = (draft: Draft, loads: readonly LoadResult[]): void => {
  const broken = loads.filter(
    ({ path, manifest }) => manifest === undefined && path in draft.state.manifests,
  );
  const problems = Object.fromEntries(broken.map((load) => [load.path, load.problems]));
  draft.state = { ...draft.state, manifests: { ...draft.state.manifests, ...problems } };
};
