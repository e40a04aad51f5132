import { describe, expect, it } from 'vitest';
import { capabilitiesIn, idsMapped, ownNamespace } from '../../../src/os/proc/confinement.ts';

const status = (permitted: string, bounding: string): string =>
  `Name:\tx\nCapInh:\t0000000000000000\nCapPrm:\t${permitted}\nCapEff:\t0\nCapBnd:\t${bounding}\n`;

describe('capabilities that can be passed on', () => {
  it('only permitted capabilities in the bounding set can be passed on', () => {
    expect(capabilitiesIn(status('0000000000000403', '0000010000000401'))).toEqual([0, 10]);
    expect(capabilitiesIn(status('0000010000000000', '000001ffffffffff'))).toEqual([40]);
    expect(capabilitiesIn('')).toEqual([]);
  });
});

it('the user namespace of this process has users and groups', () => {
  const { users, groups } = ownNamespace();
  expect(Math.min(users, groups)).toBeGreaterThan(0);
});

it.each([
  ['         0          0 4294967295\n', 4_294_967_295],
  ['         0       1000          1\n', 1],
  ['0 1000 1\n1 100000 65536\n', 65_537],
  ['', 0],
])('a user namespace has as many ids as its map says: %j', (map, count) => {
  expect(idsMapped(map)).toBe(count);
});
