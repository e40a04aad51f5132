// The sets of capabilities in `/proc/<pid>/status`.

const setOf = (status: string, name: string): bigint => {
  const [, hex = '0'] = new RegExp(`^${name}:\\s+([0-9a-f]+)$`, 'm').exec(status) ?? [];
  return BigInt(`0x${hex}`);
};

/** The numbers of the capabilities that are both permitted and in the bounding set. */
export const capabilitiesIn = (status: string): readonly number[] => {
  const both = setOf(status, 'CapPrm') & setOf(status, 'CapBnd');
  return Array.from({ length: 64 }, (_, number) => number).filter(
    (number) => (both & (1n << BigInt(number))) !== 0n,
  );
};
