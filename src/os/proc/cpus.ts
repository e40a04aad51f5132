// The CPUs of this machine by index: `0-3,6`, as the kernel lists them.
import { readFileSync } from 'node:fs';

export const cpusIn = (list: string): readonly number[] =>
  list
    .trim()
    .split(',')
    .filter((range) => range !== '')
    .flatMap((range) => {
      const [first = 0, last = first] = range.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });

/** Those that are switched on. */
export const onlineCpus = (): readonly number[] =>
  cpusIn(readFileSync('/sys/devices/system/cpu/online', 'utf8'));
