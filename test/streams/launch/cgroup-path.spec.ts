import { expect, it } from 'vitest';
import { cgroupOf } from '../../../src/streams/launch/cgroup-path.ts';
import { specOf } from '../../support/spec.ts';

const under = (root: string): string | undefined =>
  cgroupOf(specOf('web', { privilege: { supplementaryGroups: [], limits: { cgroup: { root } } } }));

it('the cgroup of a unit has a name that no other unit can have', () => {
  expect(under('/cg')).toBe('/cg/shop:web');
  expect(under('/')).toBe('/shop:web');
  expect(cgroupOf(specOf('web'))).toBeUndefined();
});
