// Taking up what is declared, for a restart, an apply or a plan: who is to be brought to a new run, and who is to go.
import type { Command } from '../../domain/command.ts';
import type { SupError } from '../../domain/errors/error.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { Manifest, Problem } from '../../domain/declared/manifest.ts';
import type { Service } from '../../domain/service/service.ts';
import { dependentsOf, nodeOf, reach } from '../../graph/graph.ts';
import { isSelected } from '../../selection/is-selected.ts';
import { adoptStrays } from '../boot/strays.ts';
import { find, type Draft } from '../draft.ts';
import { register, tryAgain, undeclared } from '../register.ts';
import { isNew, isNews } from './news.ts';
import { selectStaying } from './select.ts';

export interface Loaded {
  readonly manifest: Manifest;
  readonly problems: readonly Problem[];
}

export interface TakenUp {
  /** To be brought to a new run. */
  readonly ids: readonly ServiceId[];
  /** Not declared any more. */
  readonly gone: readonly Service[];
}

type Reconciling = Extract<Command, { type: 'restart' | 'apply' | 'plan' }>;

/** Where dependencies do not say otherwise, what is new comes before what is there already. */
const newFirst = (draft: Draft, ids: readonly ServiceId[]): readonly ServiceId[] => {
  const added = ids.filter((id) => {
    const service = find(draft, id);
    return service !== undefined && isNew(service);
  });
  return [...new Set([...added, ...ids])];
};

/** Everybody who depends on them, too. */
const withDependents = (draft: Draft, ids: readonly ServiceId[]): readonly ServiceId[] => [
  ...new Set([...ids, ...ids.flatMap((id) => dependentsOf(draft.state.graph, id))]),
];

/** Whom the command is about. */
const meant = (draft: Draft, command: Reconciling, ids: readonly ServiceId[]): readonly ServiceId[] =>
  command.type === 'restart' && command.withDependents === true ? withDependents(draft, ids) : ids;

/** What they need that nobody has asked anything of yet, directly or not. */
const withNewNeeds = (draft: Draft, ids: readonly ServiceId[]): readonly ServiceId[] => {
  const isUntouched = (id: ServiceId): boolean => {
    const service = find(draft, id);
    return service !== undefined && isNew(service);
  };
  const needs = (id: ServiceId): readonly ServiceId[] =>
    nodeOf(draft.state.graph, id)
      .needs.map(({ service }) => service)
      .filter(isUntouched);
  return [...ids, ...reach(ids, needs)];
};

const chosen = (draft: Draft, command: Reconciling, ids: readonly ServiceId[]): readonly ServiceId[] => {
  if (command.type === 'restart') return ids;
  return ids.filter((id) => {
    const service = find(draft, id);
    return service !== undefined && isNews(service);
  });
};

/** Registers all manifests; removes nobody yet. A selection leaves everybody else's removals alone. */
export const takeUp = (
  draft: Draft,
  command: Command,
  good: readonly Loaded[],
): ({ readonly ok: true } & TakenUp) | { readonly ok: false; readonly error: SupError } => {
  if (!('selection' in command) || command.type === 'start' || command.type === 'stop')
    return { ok: true, ids: [], gone: [] };
  const { selection } = command;
  const manifests = good.map(({ manifest }) => manifest);
  const gone = undeclared(draft.state, manifests).filter(({ spec }) => isSelected(spec, selection));
  good.forEach(({ manifest, problems }) => register(draft, manifest, problems));
  adoptStrays(draft);
  const leaving = new Set(gone.map(({ spec }) => spec.id));
  const selected = selectStaying(draft.state, selection, leaving);
  if (!selected.ok) return selected;
  const stays = (id: ServiceId): boolean => !leaving.has(id) && find(draft, id)?.leaving === false;
  const about = meant(draft, command, selected.ids).filter(stays);
  tryAgain(draft, about, manifests);
  const ids = withNewNeeds(draft, chosen(draft, command, about)).filter(stays);
  return { ok: true, ids: newFirst(draft, ids), gone };
};
