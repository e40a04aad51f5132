// The descriptors that a started process would inherit, and those that Node can replace.
import { readdirSync, readFileSync } from 'node:fs';

const CLOSED_ON_EXEC = 0o2_000_000;

const isClosedOnExec = (descriptor: string): boolean => {
  try {
    const [, flags = '0'] =
      /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1')) ?? [];
    return (Number.parseInt(flags, 8) & CLOSED_ON_EXEC) !== 0;
  } catch {
    // The descriptor of this directory listing.
    return true;
  }
};

/** The descriptors from 3 on that a started process inherits. */
export const inheritable = (): readonly number[] =>
  readdirSync('/proc/self/fdinfo')
    .filter((descriptor) => Number(descriptor) > 2 && !isClosedOnExec(descriptor))
    .map(Number);

/** The descriptors that Node can replace: to do so it needs a free number above for each. */
export const replaceable = (descriptors: readonly number[], limit: number): readonly number[] =>
  descriptors.filter((descriptor) => descriptor + descriptors.length + 1 < limit);
