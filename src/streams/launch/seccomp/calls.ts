// System calls by name and architecture: their numbers differ.
import { CALLS_ARM64 } from './calls-arm64.ts';
import { CALLS_X64 } from './calls-x64.ts';

/** The architectures with known calls. */
export type Architecture = 'x64' | 'arm64';

const numbered = (runs: Readonly<Record<number, string>>): ReadonlyMap<string, number> =>
  new Map(
    Object.entries(runs).flatMap(([first, names]) =>
      names.split(/\s+/).map((name, index): [string, number] => [name, Number(first) + index]),
    ),
  );

const CALLS: Readonly<Record<Architecture, ReadonlyMap<string, number>>> = {
  x64: numbered(CALLS_X64),
  arm64: numbered(CALLS_ARM64),
};

/** Returns the number of a call; `undefined` if this architecture does not have it (`open` on arm64). */
export const callNumber = (name: string, architecture: Architecture): number | undefined =>
  CALLS[architecture].get(name);

/** Returns the highest number in this table; higher calls are newer. */
export const highestCall = (architecture: Architecture): number => Math.max(...CALLS[architecture].values());

/** Every call name of any architecture. */
export const CALL_NAMES: readonly string[] = [
  ...new Set([...CALLS.x64.keys(), ...CALLS.arm64.keys()]),
].sort();
