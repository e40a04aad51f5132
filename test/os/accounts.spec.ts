import { describe, expect, it } from 'vitest';
import { findAccount, findGroup } from '../../src/os/accounts.ts';

describe('accounts of this machine', () => {
  it('are found by name and by number', async () => {
    const root = await findAccount('root');
    expect(root).toMatchObject({ name: 'root', uid: 0, gid: 0, home: '/root' });
    expect(root?.groups).toContain(0);
    expect(await findAccount('0')).toEqual(root);
  });

  it('are nobody where there is none', async () => {
    expect([await findAccount('no-such-account'), await findAccount('987654321')]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('have groups; the number of one needs no entry', async () => {
    expect([await findGroup('root'), await findGroup('987654321'), await findGroup('no-such-group')]).toEqual(
      [0, 987_654_321, undefined],
    );
  });
});
