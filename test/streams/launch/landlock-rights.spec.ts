import { describe, expect, it } from 'vitest';
import {
  grantedRights,
  handledPorts,
  handledRights,
  lostRights,
  portRules,
  scopesOf,
} from '../../../src/streams/launch/landlock-rights.ts';

const bits = (rights: bigint): readonly number[] =>
  Array.from({ length: 17 }, (_, bit) => bit).filter((bit) => (rights & (1n << BigInt(bit))) !== 0n);

describe('Landlock rights', () => {
  it.each([
    { abi: 1, last: 12, lost: 4 },
    { abi: 2, last: 13, lost: 3 },
    { abi: 3, last: 14, lost: 2 },
    { abi: 4, last: 14, lost: 2 },
    { abi: 5, last: 15, lost: 1 },
    { abi: 7, last: 15, lost: 0 },
  ])('Landlock has the rights of ABI $abi', ({ abi, last, lost }) => {
    expect(bits(handledRights(abi, true)).at(-1)).toBe(last);
    expect(lostRights(abi)).toHaveLength(lost);
  });

  it('Landlock scopes signals and abstract sockets from ABI 6 on', () => {
    expect([1, 5, 6, 7].map(scopesOf)).toEqual([0n, 0n, 3n, 3n]);
  });

  it('Landlock handles ports if a list is given, also an empty one', () => {
    expect(handledPorts({})).toBe(0n);
    expect(handledPorts({ bind: [] })).toBe(1n);
    expect(handledPorts({ bind: [80], connect: [] })).toBe(3n);
    expect(portRules({ bind: [80, 443], connect: [5432] })).toEqual([
      { port: 80, rights: 1n },
      { port: 443, rights: 1n },
      { port: 5432, rights: 2n },
    ]);
  });

  it('Landlock does not handle execution without a path to execute from', () => {
    expect(bits(handledRights(7, false))).not.toContain(0);
    expect(bits(handledRights(7, true))).toContain(0);
  });

  const handled = handledRights(7, true);
  it.each([
    { grant: 'read', directory: true, rights: [2, 3] },
    { grant: 'read', directory: false, rights: [2] },
    { grant: 'execute', directory: true, rights: [0, 2, 3] },
    { grant: 'execute', directory: false, rights: [0, 2] },
    { grant: 'write', directory: true, rights: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] },
    { grant: 'write', directory: false, rights: [1, 2, 14, 15] },
  ] as const)('Landlock rights for $grant are those allowed in a rule (directory: $directory)', (row) => {
    expect(bits(grantedRights(row.grant, handled, row.directory))).toEqual(row.rights);
  });

  it('Landlock rights of rules never exceed the handled rights', () => {
    expect(bits(grantedRights('execute', handledRights(1, false), true))).toEqual([2, 3]);
  });
});
