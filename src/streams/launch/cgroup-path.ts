// Where the cgroup of a unit lies (`docs/manifest.md`, "limits.cgroup").
import type { ServiceSpec } from '../domain/declared/spec.ts';

/** Where they lie unless the manifest says otherwise. */
export const CGROUP_ROOT = '/sys/fs/cgroup/sup';

/** Its name has a `:`, which neither a project nor a service can have. */
export const cgroupOf = ({ project, name, privilege }: ServiceSpec): string | undefined => {
  const root = privilege.limits?.cgroup?.root;
  return root === undefined ? undefined : `${root === '/' ? '' : root}/${project}:${name}`;
};
