// Registers declarations for a restart, apply or plan: decides which services get a new run or are removed.
// Rules: `docs/behaviour.md`, "Restart by hand", "With names, -p, -c or --here", "Services that are no longer
// declared"; `docs/behaviour.md`, "Restart by hand", "apply".
import type { Command, Selection } from '../../domain/command.ts';
import type { SupError } from '../../domain/errors/error.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { LoadResult, Manifest, Problem } from '../../domain/declared/manifest.ts';
import type { Service } from '../../domain/service/service.ts';
import { nodeOf, reach } from '../../graph/graph.ts';
import { isSelected } from '../../selection/match.ts';
import { adoptUndeclaredRuns } from '../boot/adopt-runs.ts';
import { find, serviceIs, type Draft } from '../draft.ts';
import { register, tryAgain, undeclared } from '../register-manifests.ts';
import { servicesOf } from '../service-table.ts';
import type { SupervisorState } from '../state.ts';
import { isNew, isNews, selectStaying, withDependents } from './selected-services.ts';

export interface Loaded {
  readonly manifest: Manifest;
  readonly problems: readonly Problem[];
}

interface Whole {
  readonly good: readonly Loaded[];
  /** The manifests that the command is about. */
  readonly about: readonly Loaded[];
}

export interface TakenUp {
  readonly ids: readonly ServiceId[];
  /** Services that are no longer declared. */
  readonly gone: readonly Service[];
}

type Reconciling = Extract<Command, { type: 'restart' | 'apply' | 'plan' }>;

const isReconciling = (command: Command): command is Reconciling =>
  command.type === 'restart' || command.type === 'apply' || command.type === 'plan';

/** Returns the ids, new services first. */
const newFirst = (draft: Draft, ids: readonly ServiceId[]): readonly ServiceId[] => {
  const added = ids.filter((id) => serviceIs(draft, id, isNew));
  return [...new Set([...added, ...ids])];
};

/** Returns these services and the new services that they need, directly or through others. */
const withNewNeeds = (draft: Draft, ids: readonly ServiceId[]): readonly ServiceId[] => {
  const needs = (id: ServiceId): readonly ServiceId[] =>
    nodeOf(draft.state.graph, id)
      .needs.map(({ service }) => service)
      .filter((need) => serviceIs(draft, need, isNew));
  return [...ids, ...reach(ids, needs)];
};

const chosen = (draft: Draft, command: Reconciling, ids: readonly ServiceId[]): readonly ServiceId[] =>
  command.type === 'restart' ? ids : ids.filter((id) => serviceIs(draft, id, isNews));

/** True if the manifest has one of these projects. A project without services counts, too. */
const hasProject = (
  { projects }: SupervisorState,
  ids: readonly string[],
  { path, manifest }: Pick<LoadResult, 'path' | 'manifest'>,
): boolean =>
  Object.values(projects).some(({ id, manifest: owner }) => owner === path && ids.includes(id)) ||
  manifest?.projects.some(({ id }) => ids.includes(id)) === true;

/**
 * True if the selection includes a service or project of this manifest: one that is registered, or one in the
 * new text of the manifest.
 */
export const isAbout = (
  state: SupervisorState,
  { manifest: named, ...within }: Selection,
  load: Pick<LoadResult, 'path' | 'manifest'>,
): boolean => {
  const { projects, services } = within;
  if (named !== undefined) return named === load.path;
  if (services === undefined) return projects === undefined || hasProject(state, projects, load);
  const registered = servicesOf(state.serviceTable).map(({ spec, revised }) => revised ?? spec);
  const own = registered.filter((spec) => spec.manifest === load.path);
  return [...own, ...(load.manifest?.services ?? [])].some((spec) => isSelected(spec, within));
};

/**
 * Registers the manifests that the command is about. Returns the services that the command changes (`ids`)
 * and those that it must remove (`gone`); removes no service yet.
 */
export const takeUp = (
  draft: Draft,
  command: Command,
  { good, about }: Whole,
): ({ readonly ok: true } & TakenUp) | { readonly ok: false; readonly error: SupError } => {
  if (!isReconciling(command)) return { ok: true, ids: [], gone: [] };
  const { selection } = command;
  const manifests = good.map(({ manifest }) => manifest);
  const gone = undeclared(draft.state, manifests).filter(({ spec }) => isSelected(spec, selection));
  about.forEach(({ manifest, problems }) => register(draft, manifest, problems));
  adoptUndeclaredRuns(draft);
  const leaving = new Set(gone.map(({ spec }) => spec.id));
  const selected = selectStaying(draft.state, selection, leaving);
  if (!selected.ok) return selected;
  const stays = (id: ServiceId): boolean => !leaving.has(id) && find(draft, id)?.leaving === false;
  const targets = withDependents(draft, command, selected.ids).filter(stays);
  tryAgain(draft, targets, manifests);
  const ids = withNewNeeds(draft, chosen(draft, command, targets)).filter(stays);
  return { ok: true, ids: newFirst(draft, ids), gone };
};
