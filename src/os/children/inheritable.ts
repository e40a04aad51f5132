// Which descriptors whoever is started would have too, and which of them Node can put another in the place of.
import { readdirSync, readFileSync } from 'node:fs';

const CLOSED_ON_EXEC = 0o2_000_000;

const isClosedOnExec = (descriptor: string): boolean => {
  try {
    const [, flags = '0'] =
      /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1')) ?? [];
    return (Number.parseInt(flags, 8) & CLOSED_ON_EXEC) !== 0;
  } catch {
    // The one of this very look.
    return true;
  }
};

/** From 3 on, what whoever is started has too. */
export const inheritable = (): readonly number[] =>
  readdirSync('/proc/self/fdinfo')
    .filter((descriptor) => Number(descriptor) > 2 && !isClosedOnExec(descriptor))
    .map(Number);

/** Of these, what Node can put another one in the place of: on the way there it needs a free number above for each. */
export const replaceable = (descriptors: readonly number[], limit: number): readonly number[] =>
  descriptors.filter((descriptor) => descriptor + descriptors.length + 1 < limit);
