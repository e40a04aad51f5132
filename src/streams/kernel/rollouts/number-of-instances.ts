// The number of instances of each service with `replicas`: as declared, or as `sup scale` has set it. A
// number that was set holds until the number in the manifest changes, or until the manifest is forgotten.
// Rules: `docs/behaviour.md`, "Instances", "Scaled".
import type { Command, Count } from '../../domain/command.ts';
import type { SupError } from '../../domain/errors/error.ts';
import type { Manifest, ReplicaGroup, Scales } from '../../domain/declared/manifest.ts';
import type { ServiceSpec } from '../../domain/declared/spec.ts';
import { declaredName, groupOf, type ServiceId } from '../../domain/ids.ts';
import { instancesOf } from '../../rollout/instance-specs.ts';
import { isSelected } from '../../selection/match.ts';
import { select, type Known } from '../../selection/select.ts';

/** Returns a copy of the services in which the group has as many instances as its field `replicas` says. */
const resized = (services: readonly ServiceSpec[], group: ReplicaGroup): readonly ServiceSpec[] => {
  const first = services.findIndex(({ id }) => groupOf(id) === group.id);
  const others = services.filter(({ id }) => groupOf(id) !== group.id);
  return others.toSpliced(first, 0, ...instancesOf(group.template, group.replicas));
};

type Wanted = (group: ReplicaGroup) => number;

/**
 * Returns a copy of the manifest in which each service with `replicas` has the number of instances that
 * `wanted` returns.
 */
export const withReplicas = (manifest: Manifest, wanted: Wanted): Manifest => {
  if (manifest.groups === undefined) return manifest;
  const groups = manifest.groups.map((group) => ({ ...group, replicas: wanted(group) }));
  const changed = groups.filter((group, place) => group.replicas !== manifest.groups?.[place]?.replicas);
  return { ...manifest, groups, services: changed.reduce(resized, manifest.services) };
};

/**
 * Returns the manifest with the numbers of instances that `sup scale` has set. Such a number no longer
 * applies when `replicas` in the manifest has changed since it was set.
 */
export const scaledManifest = (manifest: Manifest, scales: Scales = {}): Manifest =>
  withReplicas(manifest, ({ id, declared }) => {
    const scale = scales[id];
    return scale?.declared === declared ? scale.replicas : declared;
  });

/**
 * Returns a copy of the numbers of `sup scale` in which this manifest has its present numbers. A number that
 * equals `replicas` in the manifest is not recorded.
 */
export const scalesAfter = (
  scales: Scales | undefined,
  { path, groups = [] }: Pick<Manifest, 'path' | 'groups'>,
): { readonly scales?: Scales } => {
  const set = groups.filter(({ declared, replicas }) => declared !== replicas);
  const others = Object.entries(scales ?? {}).filter(([, { manifest }]) => manifest !== path);
  if (scales === undefined && set.length === 0) return {};
  const own = set.map(({ id, declared, replicas }) => [id, { manifest: path, declared, replicas }] as const);
  return { scales: Object.fromEntries([...others, ...own]) };
};

type Scaling = Extract<Command, { type: 'scale' }>;

type Counts =
  | { readonly ok: true; readonly counts: ReadonlyMap<ServiceId, number> }
  | { readonly ok: false; readonly error: SupError };

const groupNamed = (
  { service }: Count,
  { projects }: Pick<Scaling, 'projects'>,
  manifests: readonly Manifest[],
): ServiceId | SupError => {
  const known: Known = {
    services: manifests.flatMap(({ services }) =>
      services.map((spec) => ({ ...spec, id: groupOf(spec.id), name: declaredName(spec.name) })),
    ),
    projects: manifests.flatMap((manifest) => manifest.projects),
    manifests: manifests.map(({ path }) => path),
  };
  const selection = { services: [service], ...(projects && { projects }) };
  const found = select(known, selection);
  if (!found.ok) return found.error;
  const named = known.services.find((each) => isSelected(each, selection))?.id;
  const isGroup = manifests.some(({ groups = [] }) => groups.some(({ id }) => id === named));
  if (named === undefined) return { code: 'ERR0202', name: service, known: [] };
  return isGroup ? named : { code: 'ERR0304', of: named };
};

/** Returns the number for each named service, or the error about a service that cannot be scaled. */
export const countsOf = (command: Scaling, manifests: readonly Manifest[]): Counts => {
  const counts = new Map<ServiceId, number>();
  for (const count of command.counts) {
    const group = groupNamed(count, command, manifests);
    if (typeof group !== 'string') return { ok: false, error: group };
    counts.set(group, count.replicas);
  }
  return { ok: true, counts };
};
