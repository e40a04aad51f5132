// Where the cgroup of a unit lies (`docs/manifest.md`, "limits.cgroup").
import type { ServiceSpec } from '../domain/declared/spec.ts';

/** Where they lie unless the manifest says otherwise. */
export const CGROUP_ROOT = '/sys/fs/cgroup/sup';

/** There the kernel makes every file, and no link can lie. */
export const isKernelsOwn = (root: string): boolean =>
  root.startsWith('/sys/fs/cgroup/') && !root.split('/').includes('..');

/** Its name has a `:`, which neither a project nor a service can have. */
export const cgroupOf = ({ project, name, privilege }: ServiceSpec): string | undefined => {
  const root = privilege.limits?.cgroup?.root;
  return root === undefined ? undefined : `${root === '/' ? '' : root}/${project}:${name}`;
};
