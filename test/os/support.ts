import { openLibc, type Libc } from '../../src/os/libc/libc.ts';

/** The package is part of what a developer installs: its absence fails the tests. */
export const libcOfThisMachine = (): Libc => {
  const opened = openLibc();
  if (opened.tag === 'absent') throw new Error(opened.detail);
  return opened.libc;
};
