// The cgroup of a service (`docs/manifest.md`, "limits.cgroup"): created with its limits before the process
// starts, removed when it is empty. It only limits processes and is never used to kill them.
import { existsSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeDirectory } from '../../os/files/directories.ts';
import { errnoOf } from '../../os/errno.ts';
import { refuseUnsafeWriting } from '../../os/files/trusted-directories.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import { isKernelsOwn } from '../../streams/launch/cgroup-path.ts';
import type { CgroupSpec } from '../../streams/domain/declared/spec.ts';

/** Thrown if the cgroup cannot be created; the message says why. */
export class NoCgroup extends Error {}

interface Ceiling {
  readonly controller: 'memory' | 'cpu' | 'pids';
  readonly file: string;
  readonly value: string;
}

const ceilingsOf = (spec: CgroupSpec): readonly Ceiling[] =>
  (
    [
      ['memory', 'memory.max', spec.memoryMax],
      ['memory', 'memory.high', spec.memoryHigh],
      ['cpu', 'cpu.max', spec.cpuMax],
      ['cpu', 'cpu.weight', spec.cpuWeight],
      ['pids', 'pids.max', spec.pidsMax],
    ] as const
  ).flatMap(([controller, file, value]) =>
    value === undefined ? [] : [{ controller, file, value: String(value) }],
  );

const wordsIn = (file: string): readonly string[] => {
  try {
    return readFileSync(file, 'utf8').split(/\s+/).filter(Boolean);
  } catch {
    return [];
  }
};

/**
 * Returns the directories from the top of the cgroup hierarchy down to `root`. Throws `NoCgroup` if `root` is
 * in no such hierarchy.
 */
const wayDown = (root: string): readonly string[] => {
  const above: string[] = [];
  for (let at = root; at !== '/'; at = dirname(at)) above.unshift(at);
  const top = above.findIndex((directory) => existsSync(join(directory, 'cgroup.controllers')));
  if (top === -1) throw new NoCgroup(`there is no cgroup v2 hierarchy at ${root}`);
  return above.slice(top);
};

const enable = (directory: string, controllers: readonly string[]): void => {
  const file = join(directory, 'cgroup.subtree_control');
  const missing = controllers.filter((controller) => !wordsIn(file).includes(controller));
  if (missing.length > 0) writeFileSync(file, missing.map((controller) => `+${controller}`).join(' '));
};

const prepareRoot = (root: string, controllers: readonly string[]): void => {
  const [top = root, ...below] = wayDown(root);
  const there = wordsIn(join(top, 'cgroup.controllers'));
  const absent = controllers.find((controller) => !there.includes(controller));
  if (absent !== undefined)
    throw new NoCgroup(`${top} has no ${absent} controller (${there.join(' ') || 'it has none at all'})`);
  enable(top, controllers);
  for (const directory of below) {
    makeDirectory(directory);
    enable(directory, controllers);
  }
};

const write = (directory: string, { file, value }: Ceiling): void => {
  try {
    writeFileSync(join(directory, file), value);
  } catch (error) {
    throw new NoCgroup(`${file} does not take ${value} (${errnoOf(error) ?? messageOf(error)})`);
  }
};

/**
 * Creates the cgroup of a run. First removes an old cgroup at this path, so that all counters start at 0.
 * Throws `NoCgroup`.
 */
export const makeCgroup = (spec: CgroupSpec, directory: string): void => {
  const ceilings = ceilingsOf(spec);
  try {
    if (!isKernelsOwn(spec.root)) refuseUnsafeWriting(directory);
    prepareRoot(spec.root, [...new Set(ceilings.map(({ controller }) => controller))]);
    removeCgroup(directory);
    makeDirectory(directory);
  } catch (error) {
    throw error instanceof NoCgroup ? error : new NoCgroup(messageOf(error));
  }
  for (const ceiling of ceilings) write(directory, ceiling);
};

/** Removes the cgroup. False if a process is in it; true if the cgroup is removed or did not exist. */
export const removeCgroup = (directory: string): boolean => {
  try {
    rmdirSync(directory);
    return true;
  } catch (error) {
    return errnoOf(error) === 'ENOENT';
  }
};
