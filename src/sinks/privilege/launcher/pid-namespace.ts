// A new pid namespace is for what is born from now on, and the kernel allows no threads to whoever has asked for it. So
// the launcher goes on as a copy of itself, the first process in there, which is a child of the supervisor as well.
import { readlinkSync } from 'node:fs';
import type { Libc } from '../../../os/libc.ts';
import { leadSession, leave, siblings } from '../../../os/libc/fork.ts';
import { StepRefused } from './step-refused.ts';

/** For Node: a copy has one thread (`os/libc/fork.ts`). */
export const FOR_COPIES: readonly string[] = ['--single-threaded'];

/** Goes on inside; the process that called it ends. Returns the pid outside. Throws `StepRefused`. */
export const goInside = (libc: Libc): number => {
  const became = siblings(libc)?.() ?? 'refused';
  if (became === 'original') return leave(libc, 0);
  if (became === 'refused')
    throw new StepRefused('isolation.pid', 'no process can be made in the new namespace');
  leadSession(libc);
  // `/proc` is that of the namespace outside.
  return Number(readlinkSync('/proc/self'));
};
