// Reads which users, capabilities and limits services can have on this machine. The values are those of this
// process. The supervisor may have other values.
import { readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { isKnown } from '../../../os/accounts.ts';
import { onlineCpus } from '../../../os/proc/machine-facts.ts';
import { ownCapabilities } from '../../../os/proc/confinement.ts';
import type { LimitedResource, Machine } from '../../../manifest/read/reader.ts';
import type { Limit } from '../../../streams/domain/declared/spec.ts';
import { capabilityNumber } from '../../../streams/launch/capability-steps.ts';

const NAMES: Readonly<Record<LimitedResource, string>> = {
  nofile: 'Max open files',
  nproc: 'Max processes',
  memlock: 'Max locked memory',
  core: 'Max core file size',
  stack: 'Max stack size',
  fsize: 'Max file size',
};
const LOWEST_NICE = -20;
const LOWEST_OOM_SCORE = -1000;

/** Returns the hard limit from a text such as `/proc/self/limits`. */
const hardLimit = (limits: string, name: string): Limit => {
  const line = limits.split('\n').find((each) => each.startsWith(name)) ?? '';
  const [, hard = 'unlimited'] = line.slice(name.length).trim().split(/\s+/);
  return hard === 'unlimited' ? hard : Number(hard);
};

/**
 * Returns the highest limit that a service can have. With CAP_SYS_RESOURCE this is the maximum that the
 * kernel permits, otherwise the hard limit of this process.
 */
const highest = (limits: string, mayRaise: boolean, resource: LimitedResource): Limit => {
  if (!mayRaise) return hardLimit(limits, NAMES[resource]);
  return resource === 'nofile' ? Number(readFileSync('/proc/sys/fs/nr_open', 'latin1')) : 'unlimited';
};

/** Returns the lowest nice value that this process may set. RLIMIT_NICE contains 20 minus this value. */
const lowestNice = (limits: string, mayRaise: boolean): number => {
  if (mayRaise) return LOWEST_NICE;
  const granted = hardLimit(limits, 'Max nice priority');
  return granted === 'unlimited' ? LOWEST_NICE : Math.min(getPriority(), 20 - granted);
};

/** Returns this process's OOM score adjustment. A lower value requires CAP_SYS_RESOURCE. */
const ownOomScore = (): number => Number(readFileSync('/proc/self/oom_score_adj', 'latin1'));

export const thisMachine = (): Machine => {
  const capabilities = ownCapabilities();
  const limits = readFileSync('/proc/self/limits', 'latin1');
  const has = (name: string): boolean => capabilities.includes(capabilityNumber(name) ?? -1);
  const known = new Map<LimitedResource, Limit>();
  const highestOf = (resource: LimitedResource): Limit => {
    const limit = known.get(resource) ?? highest(limits, has('CAP_SYS_RESOURCE'), resource);
    known.set(resource, limit);
    return limit;
  };
  return {
    knows: isKnown,
    capabilities,
    cpus: onlineCpus(),
    highest: highestOf,
    lowestNice: lowestNice(limits, has('CAP_SYS_NICE')),
    lowestOomScore: has('CAP_SYS_RESOURCE') ? LOWEST_OOM_SCORE : ownOomScore(),
  };
};
