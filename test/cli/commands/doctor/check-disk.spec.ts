import { expect, it } from 'vitest';
import { disk } from '../../../../src/cli/commands/doctor/check-disk.ts';

const MIB = 1024 * 1024;

it.each([
  [{ free: 256 * MIB, freeFiles: 1000, totalFiles: 5000 }, 'ok: 256 MiB are free'],
  [{ free: 256 * MIB - 1, freeFiles: 1000, totalFiles: 5000 }, 'warning: 255 MiB are free'],
  [{ free: 15 * MIB, freeFiles: 1000, totalFiles: 5000 }, 'problem: 15 MiB are free'],
  [{ free: 900 * MIB, freeFiles: 999, totalFiles: 5000 }, 'warning: only 999 more files can be made'],
  [{ free: 900 * MIB, freeFiles: 0, totalFiles: 0 }, 'ok: 900 MiB are free'],
])('the finding of disk space: %o', (facts, says) => {
  const [finding] = disk.judge(facts);
  expect(`${finding?.level}: ${finding?.says}`).toBe(says);
});
