// The capabilities that this process has and can hand on: permitted, and not out of the bounding set.
import { readFileSync } from 'node:fs';

const setOf = (status: string, name: string): bigint => {
  const [, hex = '0'] = new RegExp(`^${name}:\\s+([0-9a-f]+)$`, 'm').exec(status) ?? [];
  return BigInt(`0x${hex}`);
};

/** By number. */
export const capabilitiesIn = (status: string): readonly number[] => {
  const both = setOf(status, 'CapPrm') & setOf(status, 'CapBnd');
  return Array.from({ length: 64 }, (_, number) => number).filter(
    (number) => (both & (1n << BigInt(number))) !== 0n,
  );
};

export const ownCapabilities = (): readonly number[] =>
  capabilitiesIn(readFileSync('/proc/self/status', 'latin1'));
