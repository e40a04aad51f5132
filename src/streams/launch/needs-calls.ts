// The keys that need calls to the C library: a supervisor without the addon does not apply them.
import type { ServiceSpec } from '../domain/declared/spec.ts';
import { usesUserNamespace } from './namespaces.ts';

const RESOURCES = ['nofile', 'nproc', 'memlock', 'core', 'nice'] as const;
const NAMESPACES = ['network', 'mount', 'pid'] as const;
const RESTRICTIONS = ['landlock', 'ports', 'seccomp'] as const;

/** Dotted keys; true for those that the service declares and that would take effect in this mode. */
type Declared = Readonly<Record<string, boolean>>;

const identityOf = ({ privilege }: ServiceSpec, privileged: boolean): Declared => ({
  user: privileged && privilege.user !== undefined,
  group: privileged && privilege.group !== undefined,
  supplementary_groups: privileged && privilege.supplementaryGroups.length > 0,
  capabilities: privileged && privilege.capabilities !== undefined,
});

const limitsOf = ({ privilege: { limits } }: ServiceSpec, privileged: boolean): Declared => ({
  ...Object.fromEntries(RESOURCES.map((name) => [`limits.${name}`, limits?.[name] !== undefined])),
  'limits.cpu_affinity': limits?.cpuAffinity !== undefined,
  'limits.cgroup': privileged && limits?.cgroup !== undefined,
});

const isolationOf = (spec: ServiceSpec, privileged: boolean): Declared => {
  const { isolation } = spec.privilege;
  const isInside = usesUserNamespace(spec);
  const has = (kind: (typeof NAMESPACES)[number]): boolean =>
    (privileged || isInside) && isolation?.[kind] === true;
  return {
    ...Object.fromEntries(NAMESPACES.map((kind) => [`isolation.${kind}`, has(kind)])),
    'isolation.user': isInside,
    ...Object.fromEntries(RESTRICTIONS.map((kind) => [`isolation.${kind}`, isolation?.[kind] !== undefined])),
  };
};

/**
 * Returns the service's keys that are not applied without calls to the C library; `privileged` is `--sys`.
 */
export const needsCalls = (spec: ServiceSpec, privileged: boolean): readonly string[] => {
  const declared: Declared = {
    ...identityOf(spec, privileged),
    ...limitsOf(spec, privileged),
    ...isolationOf(spec, privileged),
    'spawn.mode': spec.spawn.mode === 'dynamic',
    sockets: (spec.sockets ?? []).length > 0,
  };
  return Object.keys(declared).filter((key) => declared[key] === true);
};
