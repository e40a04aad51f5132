import { linkSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { logBytes } from '../../../src/sources/logs/log-files.ts';

it('the size of a log includes all its files', () => {
  const directory = mkdtempSync(join(tmpdir(), 'sup-log-bytes-'));
  const file = join(directory, 'web.log');
  expect(logBytes(file)).toBeUndefined();
  writeFileSync(file, '12345');
  expect(logBytes(file)).toBe(5);
  for (const rotated of [1, 2, 4]) writeFileSync(`${file}.${rotated}`, '1234567890');
  expect(logBytes(file)).toBe(35);
  rmSync(directory, { recursive: true });
});

it('the size of a log includes all rotated files of the largest max_files', () => {
  const directory = mkdtempSync(join(tmpdir(), 'sup-log-bytes-'));
  const file = join(directory, 'web.log');
  writeFileSync(file, '');
  writeFileSync(`${file}.1`, '1');
  for (let number = 2; number <= 10_000; number += 1) linkSync(`${file}.1`, `${file}.${number}`);
  expect(logBytes(file)).toBe(10_000);
  rmSync(directory, { recursive: true });
});
