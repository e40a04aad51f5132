// Needs the native addon.
import { closeSync, openSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { posixSpawn, type PosixSpawn } from '../../../src/os/libc/posix-spawn.ts';
import { waitOf } from '../../../src/os/libc/process-ends.ts';
import { fileLimitOf, limitedTo, softFilesBeforeNode } from '../../../src/os/children/file-limit.ts';
import { until } from '../../fixtures/processes/world.ts';
import { libcOfThisMachine } from '../support.ts';

const limit = (soft: number, hard = 4096): { soft: number; hard: number } => ({ soft, hard });

type Limits = Parameters<typeof softFilesBeforeNode>;
const pair = (...limits: Limits): Limits => limits;

describe('the soft limit on open files that Node was started with', () => {
  it.each([
    ['is ours where Node did not raise it', pair(limit(512), limit(1024)), 512],
    ['is that of who called us, which has the same hard one', pair(limit(4096), limit(1024)), 1024],
    ['is the hard one where that is so for who called us', pair(limit(4096), limit(4096)), 4096],
    ['is not known where who called us has other limits', pair(limit(4096), limit(8192, 65_536)), undefined],
    ['is not known where nobody called us', pair(limit(4096), undefined), undefined],
    [
      'is that of the pair that is given by default',
      pair(limit(524_288, 524_288), limit(9_999, 9_999)),
      1024,
    ],
  ])('%s', (_, limits, soft) => {
    expect(softFilesBeforeNode(...limits)).toBe(soft);
  });

  it('the soft limit of the caller is unknown if it cannot be read', () => {
    expect(softFilesBeforeNode(fileLimitOf(4_194_303), undefined)).toBeUndefined();
    expect(fileLimitOf(process.pid)?.soft).toBeGreaterThan(0);
  });
});

describe('a process that is started with a soft limit', () => {
  const libc = libcOfThisMachine();
  const begun = async (newest: number): Promise<string> => {
    const [nowhere, out] = [openSync('/dev/null', 'r+'), openSync('/tmp', 0o20200002, 0o600)];
    const pid = limitedTo(libc, 200)(newest, () =>
      (posixSpawn(libc) as PosixSpawn)({
        program: '/bin/sh',
        argv: ['sh', '-c', 'sleep 0.1; ulimit -Sn'],
        environment: { PATH: '/usr/bin:/bin' },
        directory: '/',
        descriptors: [nowhere, out, nowhere],
      }),
    );
    await until(() => waitOf(libc).collect(pid) !== undefined);
    const said = readFileSync(`/proc/self/fd/${out}`, 'utf8').trim();
    for (const descriptor of [nowhere, out]) closeSync(descriptor);
    return said;
  };

  it('a process that is started with a soft limit has it, and ours is unchanged', async () => {
    const before = fileLimitOf(process.pid);
    expect(await begun(20)).toBe('200');
    expect(fileLimitOf(process.pid)).toEqual(before);
  });

  it('a process gets a soft limit below the number of our open files', async () => {
    expect(await begun(190)).toBe('200');
  });
});
