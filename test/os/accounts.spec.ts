import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findAccount, findGroup, NoAnswer } from '../../src/os/accounts.ts';
import { ms } from '../../src/streams/domain/time.ts';
import { PATIENT } from '../support/patience.ts';

describe('accounts of this machine', () => {
  it('users are found by name and by number', async () => {
    const root = await findAccount('root');
    expect(root).toMatchObject({ name: 'root', uid: 0, gid: 0, home: '/root' });
    expect(root?.groups).toContain(0);
    expect(await findAccount('0')).toEqual(root);
  });

  it('an unknown user is undefined', async () => {
    expect([await findAccount('no-such-account'), await findAccount('987654321')]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('users have groups; a group number needs no entry', async () => {
    expect([await findGroup('root'), await findGroup('987654321'), await findGroup('no-such-group')]).toEqual(
      [0, 987_654_321, undefined],
    );
  });
});

describe('a name service that does not answer', () => {
  const SOON = ms(200);
  let bin: string;
  const program = (name: string, script: string): void =>
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  beforeEach(() => {
    bin = mkdtempSync(join(tmpdir(), 'accounts-'));
    vi.stubEnv('PATH', `${bin}:${process.env['PATH'] ?? ''}`);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    rmSync(bin, { recursive: true });
  });

  it('a silent name service is waited for up to a limit, and no user is called unknown', async () => {
    program('getent', 'exec sleep 60');
    const silent = [findAccount('somebody', SOON), findGroup('somebody', SOON)];
    for (const asked of silent) await expect(asked).rejects.toThrow(NoAnswer);
    await expect(findAccount('somebody', SOON)).rejects.toThrow('getent passwd somebody did not answer');
  });

  it('a silent name service is also asked for the groups of a user listed elsewhere', async () => {
    program('getent', 'echo somebody:x:1000:1000::/:/bin/sh');
    program('id', `: >${bin}/asked; exec sleep 60`);
    const limit = new AbortController();
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
    const refused = expect(findAccount('somebody', SOON)).rejects.toThrow('id -G -- somebody did not answer');
    await vi.waitFor(() => expect(existsSync(join(bin, 'asked'))).toBe(true), PATIENT);
    limit.abort();
    await refused;
  });

  it('a silent name service does not matter for users in the local files', async () => {
    program('getent', 'exec sleep 60');
    program('id', 'exec sleep 60');
    expect(await findAccount('root', SOON)).toMatchObject({ uid: 0 });
  });
});
