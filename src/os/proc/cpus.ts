// The CPUs of this machine by index.
import { readFileSync } from 'node:fs';
import { cpusIn } from './cpu-list.ts';

/** Those that are switched on. */
export const onlineCpus = (): readonly number[] =>
  cpusIn(readFileSync('/sys/devices/system/cpu/online', 'utf8'));
