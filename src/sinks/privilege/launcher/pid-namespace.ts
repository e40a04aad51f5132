// A new pid namespace applies to later children, and the kernel then allows the caller no new threads. So the
// launcher continues as a copy of itself, the first process inside, which is a child of the supervisor as
// well.
import { readlinkSync } from 'node:fs';
import type { Libc } from '../../../os/libc.ts';
import { leadSession, leave, siblings } from '../../../os/libc/fork.ts';
import { StepRefused } from './step-refused.ts';

/** Options for Node: a copy has one thread (`os/libc/fork.ts`). */
export const FOR_COPIES: readonly string[] = ['--single-threaded'];

/** Continues inside; the calling process ends. Returns the pid outside. Throws `StepRefused`. */
export const goInside = (libc: Libc): number => {
  const became = siblings(libc)?.() ?? 'refused';
  if (became === 'original') return leave(libc, 0);
  if (became === 'refused')
    throw new StepRefused('isolation.pid', 'no process can be made in the new namespace');
  leadSession(libc);
  // `/proc` still shows the outer namespace.
  return Number(readlinkSync('/proc/self'));
};
