// Resolves identity, limits and isolation.
import type {
  CgroupSpec,
  IsolationSpec,
  LandlockSpec,
  LimitsSpec,
  PortsSpec,
  Privilege,
  SeccompSpec,
} from '../../streams/domain/declared/spec.ts';
import type { cgroup } from '../decode/privileged/cgroup.ts';
import type { isolation, landlock, ports, seccomp } from '../decode/privileged/isolation.ts';
import type { limits } from '../decode/privileged/limits.ts';
import type { service } from '../decode/service/service.ts';
import type { ValueOf } from './declared.ts';
import { present } from './present.ts';

const resolveCgroup = (declared: ValueOf<typeof cgroup>): CgroupSpec =>
  present({
    root: declared.root,
    memoryMax: declared.memory_max,
    cpuMax: declared.cpu_max,
    cpuWeight: declared.cpu_weight,
  });

const resolveLimits = (declared: ValueOf<typeof limits>): LimitsSpec =>
  present({
    nofile: declared.nofile,
    nproc: declared.nproc,
    memlock: declared.memlock,
    core: declared.core,
    nice: declared.nice,
    cpuAffinity: declared.cpu_affinity,
    cgroup: declared.cgroup === undefined ? undefined : resolveCgroup(declared.cgroup),
  });

const resolveSeccomp = (declared: 'baseline' | ValueOf<typeof seccomp>): SeccompSpec =>
  declared === 'baseline'
    ? { profile: 'baseline', allow: [], deny: [], action: 'errno' }
    : { ...declared, allow: declared.allow ?? [], deny: declared.deny ?? [] };

const resolveLandlock = (declared: ValueOf<typeof landlock>): LandlockSpec => ({
  roPaths: declared.ro_paths ?? [],
  rwPaths: declared.rw_paths ?? [],
  execPaths: declared.exec_paths ?? [],
});

/** `undefined` without a list: nothing is restricted. */
const resolvePorts = ({ bind, connect }: ValueOf<typeof ports>): PortsSpec | undefined =>
  bind === undefined && connect === undefined ? undefined : present({ bind, connect });

const resolveIsolation = (declared: ValueOf<typeof isolation>): IsolationSpec =>
  present({
    network: declared.network,
    mount: declared.mount,
    pid: declared.pid,
    user: declared.user,
    seccomp: declared.seccomp === undefined ? undefined : resolveSeccomp(declared.seccomp),
    landlock: declared.landlock === undefined ? undefined : resolveLandlock(declared.landlock),
    ports: declared.ports === undefined ? undefined : resolvePorts(declared.ports),
    apparmorProfile: declared.apparmor_profile,
    selinuxContext: declared.selinux_context,
    privateDevices: declared.private_devices,
    privateTmp: declared.private_tmp,
  });

/** `undefined` for a table that requests nothing: it means the same as none. */
const unlessIdle = <T extends object>(spec: T): T | undefined =>
  Object.values(spec).some((value) => value !== false) ? spec : undefined;

export const resolvePrivilege = (declared: ValueOf<typeof service>): Privilege =>
  present({
    user: declared.user,
    group: declared.group,
    supplementaryGroups: declared.supplementary_groups ?? [],
    capabilities: declared.capabilities,
    limits: declared.limits === undefined ? undefined : unlessIdle(resolveLimits(declared.limits)),
    isolation:
      declared.isolation === undefined ? undefined : unlessIdle(resolveIsolation(declared.isolation)),
  });
