import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isHeldByName, namesFor } from '../../../src/sources/store/directory-hold.ts';

describe('the abstract name of a data directory', () => {
  it('the abstract name shows any user whether a supervisor has the directory', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'sup-names-'));
    expect(isHeldByName(directory)).toBe(false);
    const names = namesFor(directory);
    await names.take();
    expect(isHeldByName(directory)).toBe(true);
    names.release();
    expect(isHeldByName(directory)).toBe(false);
    expect(isHeldByName(join(directory, 'none'))).toBe(false);
  });
});
