// Computes the path of a service's cgroup (`docs/manifest.md`, "limits.cgroup").
import type { ServiceSpec } from '../domain/declared/spec.ts';

/** The default parent of the cgroups of services. */
export const CGROUP_ROOT = '/sys/fs/cgroup/sup';

/** True if the path is inside the cgroup file system, which contains no symbolic links. */
export const isKernelsOwn = (root: string): boolean =>
  root.startsWith('/sys/fs/cgroup/') && !root.split('/').includes('..');

/** Returns the path of the declared cgroup. No project or service name contains the separator `:`. */
export const cgroupOf = ({ project, name, privilege }: ServiceSpec): string | undefined => {
  const root = privilege.limits?.cgroup?.root;
  return root === undefined ? undefined : `${root === '/' ? '' : root}/${project}:${name}`;
};
