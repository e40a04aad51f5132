// Checks the kernel, this user, and which privileged keys of a manifest work on this machine.
import { accessSync, constants, existsSync } from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import { landlockAbiHere } from '../../../os/libc/landlock-calls.ts';
import { ownCapabilities, ownNamespace } from '../../../os/proc/confinement.ts';
import { kernelSetting } from '../../../os/proc/machine-facts.ts';
import { textIfThere } from '../../../os/files/own-file.ts';
import { CGROUP_ROOT } from '../../../streams/launch/cgroup-path.ts';
import { judgeKernel, judgeKeys, judgeRoot, type KernelFacts, type KeyFacts } from './privileged-keys.ts';
import type { Context } from '../../context.ts';
import { callsOf, type Calls } from './libc-calls.ts';
import { type Finding, checkOf } from './finding.ts';

/** Returns a kernel setting; `undefined` if the kernel does not have the setting or it cannot be read. */
const setting = (path: string): number | undefined => {
  const value = kernelSetting(path);
  return typeof value === 'number' ? value : undefined;
};

const userNamespaces = (uid: number): boolean => {
  if ((setting('user/max_user_namespaces') ?? 0) === 0) return false;
  if (uid === 0) return true;
  return (
    setting('kernel/unprivileged_userns_clone') !== 0 &&
    setting('kernel/apparmor_restrict_unprivileged_userns') !== 1
  );
};

const kernelFacts = (uid: number): KernelFacts => ({
  release: release(),
  landlockAbi: landlockAbiHere(),
  seccomp: existsSync('/proc/sys/kernel/seccomp'),
  userNamespaces: userNamespaces(uid),
});

const allows = (path: string, mode: number): boolean => {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
};

const isProgram = (path: string): boolean => allows(path, constants.X_OK);

const nearest = (directory: string): string =>
  existsSync(directory) ? directory : nearest(join(directory, '..'));

/** Kinds of namespaces and their names in the kernel's settings. */
const NAMESPACES = { network: 'net', mount: 'mnt', pid: 'pid' } as const;

const noneOf = (): readonly string[] =>
  Object.entries(NAMESPACES)
    .filter(([, name]) => setting(`user/max_${name}_namespaces`) === 0)
    .map(([kind]) => kind);

/** Returns the cgroup controllers that are available in the directory or in its nearest existing parent. */
const controllersAbove = (directory: string): readonly string[] | undefined => {
  const text = textIfThere(join(directory, 'cgroup.controllers'));
  if (typeof text === 'string') return text.split(/\s+/).filter(Boolean);
  return directory === '/' ? undefined : controllersAbove(join(directory, '..'));
};

const keyFacts = ({ sys, world }: Context, { absence }: Calls): KeyFacts => ({
  ...kernelFacts(world.uid),
  sys,
  uid: world.uid,
  ffi: absence === undefined,
  capabilities: ownCapabilities(),
  architecture: process.arch,
  unshare: ['/usr/bin/unshare', '/bin/unshare'].some(isProgram),
  controllers: controllersAbove(CGROUP_ROOT),
  cgroupRoot: CGROUP_ROOT,
  cgroupWritable: allows(nearest(CGROUP_ROOT), constants.W_OK),
  inside: ownNamespace(),
  noneOf: noneOf(),
});

const look = async (context: Context): Promise<KeyFacts> => keyFacts(context, await callsOf(context));

const judge = (facts: KeyFacts): readonly Finding[] => [
  ...[judgeKernel(facts), judgeRoot(facts)],
  ...judgeKeys(facts),
];

export const machine = checkOf('machine', { look, judge });
