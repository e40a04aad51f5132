// The path of a unit's cgroup (`docs/manifest.md`, "limits.cgroup").
import type { ServiceSpec } from '../domain/declared/spec.ts';

/** The default parent of cgroups. */
export const CGROUP_ROOT = '/sys/fs/cgroup/sup';

/** True if only the kernel creates files there, so that no symbolic link can exist. */
export const isKernelsOwn = (root: string): boolean =>
  root.startsWith('/sys/fs/cgroup/') && !root.split('/').includes('..');

/** Returns the cgroup of a service. Its name has a `:`, which no project or service name contains. */
export const cgroupOf = ({ project, name, privilege }: ServiceSpec): string | undefined => {
  const root = privilege.limits?.cgroup?.root;
  return root === undefined ? undefined : `${root === '/' ? '' : root}/${project}:${name}`;
};
