// Reads how a living process is confined, for `sup security`. A fact that may not be read, or that this
// kernel does not have, is absent from the result.
import { readFileSync, readlinkSync } from 'node:fs';
import { fieldsIn } from './confinement.ts';
import { mountsOf, withLinkedPlaces } from './mount-table.ts';
import { isOver, statOf } from './process-stat.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import type { NamespaceKind, ProcessConfinement } from '../../streams/domain/service/process-confinement.ts';

/** Returns the result of `read`; `undefined` if it throws. */
const ifReadable = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch {
    return undefined;
  }
};

/** Returns the object without the fields that are `undefined`. */
const present = <T extends object>(parts: { readonly [Key in keyof T]: T[Key] | undefined }): T =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as T;

/** Returns the fields of a line of `status`; `undefined` if the kernel does not have that line. */
const lineIn = (status: string, name: string): readonly string[] | undefined =>
  new RegExp(`^${name}:`, 'm').test(status) ? fieldsIn(status, name) : undefined;

const numbersIn = (status: string, name: string): readonly number[] | undefined =>
  lineIn(status, name)?.map(Number);

const capabilitiesOf = (status: string): ProcessConfinement['capabilities'] => {
  const sets = ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].map((name) => {
    const [hex = ''] = lineIn(status, name) ?? [];
    return /^[0-9a-f]+$/.test(hex) ? BigInt(`0x${hex}`) : undefined;
  });
  const [inheritable, permitted, effective, bounding, ambient] = sets;
  return inheritable === undefined ||
    permitted === undefined ||
    effective === undefined ||
    bounding === undefined ||
    ambient === undefined
    ? undefined
    : { inheritable, permitted, effective, bounding, ambient };
};

const SECCOMP_MODES = ['off', 'strict', 'filter'] as const;

const seccompOf = (status: string): ProcessConfinement['seccomp'] => {
  const mode = SECCOMP_MODES[numbersIn(status, 'Seccomp')?.[0] ?? -1];
  const [filters] = numbersIn(status, 'Seccomp_filters') ?? [];
  return mode && { mode, ...(filters !== undefined && { filters }) };
};

const noNewPrivsOf = (status: string): boolean | undefined => {
  const [flag] = lineIn(status, 'NoNewPrivs') ?? [];
  return flag === undefined ? undefined : flag === '1';
};

const umaskOf = (status: string): number | undefined => {
  const [octal = ''] = lineIn(status, 'Umask') ?? [];
  return /^[0-7]+$/.test(octal) ? Number.parseInt(octal, 8) : undefined;
};

/** Returns the confinement that the text of `/proc/<pid>/status` describes. */
export const confinementIn = (status: string): ProcessConfinement =>
  present({
    uids: numbersIn(status, 'Uid'),
    gids: numbersIn(status, 'Gid'),
    groups: numbersIn(status, 'Groups'),
    capabilities: capabilitiesOf(status),
    noNewPrivs: noNewPrivsOf(status),
    seccomp: seccompOf(status),
    umask: umaskOf(status),
  });

const LINKS: Readonly<Record<NamespaceKind, string>> = {
  ...{ network: 'net', mount: 'mnt', pid: 'pid', user: 'user', ipc: 'ipc', uts: 'uts' },
};

/** Returns for each kind of namespace: true if the two processes are in different namespaces. */
const namespacesOf = (pid: number, reference: number): ProcessConfinement['namespaces'] => {
  const differs = (name: string): boolean | undefined => {
    const linkOf = (of: number): string => readlinkSync(`/proc/${of}/ns/${name}`);
    const [own, other] = [pid, reference].map((of) => ifReadable(() => linkOf(of)));
    return own === undefined || other === undefined ? undefined : own !== other;
  };
  const found = Object.entries(LINKS).map(([kind, name]) => [kind, differs(name)] as const);
  const known = found.filter(([, isOther]) => isOther !== undefined);
  return known.length === 0 ? undefined : Object.fromEntries(known);
};

/** Returns the path in the hierarchy of cgroups version 2; `undefined` if there is no such hierarchy. */
const cgroupOf = (pid: number): string | undefined =>
  /^0::(.*)$/m.exec(readFileSync(`/proc/${pid}/cgroup`, 'utf8'))?.[1];

const readOnce = (pid: number, supervisor: number): ProcessConfinement =>
  present({
    ...ifReadable(() => confinementIn(readFileSync(`/proc/${pid}/status`, 'latin1'))),
    namespaces: namespacesOf(pid, supervisor),
    mounts: ifReadable(() => withLinkedPlaces(mountsOf(pid))),
    cgroup: ifReadable(() => cgroupOf(pid)),
  });

/**
 * Returns the confinement of exactly this process; `undefined` if it has ended or is not shown to this user.
 * `supervisor`: the pid of the process to compare namespaces with; by default this process.
 */
export const livingConfinement = (
  process_: ProcessRef,
  supervisor = process.pid,
): ProcessConfinement | undefined => {
  const isAlive = (): boolean => !isOver(process_, statOf(process_.pid));
  if (!isAlive()) return undefined;
  const found = readOnce(process_.pid, supervisor);
  // If the process has ended meanwhile, the result is incomplete or about another process with the same pid.
  return isAlive() ? found : undefined;
};
