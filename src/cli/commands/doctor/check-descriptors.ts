// Compares the number of open file descriptors of the supervisor with its limit.
import { readFileSync, readdirSync } from 'node:fs';
import { ROOM } from '../../../os/descriptor-budget.ts';
import { lockHolder } from '../../../sources/store/lock.ts';
import type { Context } from '../../context.ts';
import { type Finding, fine, warning, checkOf } from './finding.ts';

const limitOf = (pid: number): number => {
  const [, soft = ''] = /^Max open files\s+(\S+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'latin1')) ?? [];
  return soft === 'unlimited' ? Infinity : Number(soft);
};

interface DescriptorFacts {
  readonly open: number;
  readonly limit: number;
  /** Number of descriptors that are kept free for the supervisor itself. */
  readonly kept: number;
}

/** Returns the supervisor's open descriptors and their limit; `undefined` if no supervisor runs. */
const look = ({ dataDir }: Context): DescriptorFacts | undefined => {
  const pid = lockHolder(dataDir);
  if (pid === undefined) return undefined;
  return { open: readdirSync(`/proc/${pid}/fd`).length, limit: limitOf(pid), kept: ROOM };
};

const NEARLY = 0.8;

const judge = (facts: DescriptorFacts | undefined): readonly Finding[] => {
  if (facts === undefined) return [];
  const { open, limit, kept } = facts;
  const says = `${open} of ${limit} descriptors are open, ${kept} are kept free for looks, clients and starts`;
  return [
    open < Math.min(limit * NEARLY, limit - kept)
      ? fine('descriptors', says)
      : warning('descriptors', says, 'raise ulimit -n (LimitNOFILE=) before the supervisor is started'),
  ];
};

export const descriptors = checkOf('descriptors', { look, judge });
