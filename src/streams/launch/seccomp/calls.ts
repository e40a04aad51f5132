// System calls by name, per machine: their numbers differ.
import { CALLS_ARM64 } from './calls-arm64.ts';
import { CALLS_X64 } from './calls-x64.ts';

/** The machines whose calls are known here. */
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

/** `undefined`: this machine has no such call (`open` on arm64). */
export const callNumber = (name: string, architecture: Architecture): number | undefined =>
  CALLS[architecture].get(name);

/** Calls with a higher number are newer than this table. */
export const highestCall = (architecture: Architecture): number => Math.max(...CALLS[architecture].values());

/** Every name that some machine knows. */
export const CALL_NAMES: readonly string[] = [
  ...new Set([...CALLS.x64.keys(), ...CALLS.arm64.keys()]),
].sort();
