// The CPUs of this machine by index.
import { readFileSync } from 'node:fs';
import { cpusIn } from './cpu-list.ts';

/** The CPUs that are online. */
export const onlineCpus = (): readonly number[] =>
  cpusIn(readFileSync('/sys/devices/system/cpu/online', 'utf8'));
