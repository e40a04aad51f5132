import { expect, it } from 'vitest';
import { idsMapped } from '../../../src/os/proc/confinement.ts';

it.each([
  ['         0          0 4294967295\n', 4_294_967_295],
  ['         0       1000          1\n', 1],
  ['0 1000 1\n1 100000 65536\n', 65_537],
  ['', 0],
])('a user namespace has as many ids as its map says: %j', (map, count) => {
  expect(idsMapped(map)).toBe(count);
});
