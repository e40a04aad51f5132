import { expect, it } from 'vitest';
import { ownNamespace } from '../../../src/os/proc/confinement.ts';

it('the user namespace of this process has users and groups', () => {
  const { users, groups } = ownNamespace();
  expect(Math.min(users, groups)).toBeGreaterThan(0);
});
