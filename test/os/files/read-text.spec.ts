import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { textIfThere } from '../../../src/os/files/own-file.ts';

describe('a file that may not be there', () => {
  let directory = '';
  beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'sup-text-'))));
  afterEach(() => rmSync(directory, { recursive: true }));

  it('is read when it is', () => {
    writeFileSync(join(directory, 'file'), 'text');
    expect(textIfThere(join(directory, 'file'))).toBe('text');
  });

  it('is no trouble when it is not', () => {
    expect(textIfThere(join(directory, 'file'))).toBeUndefined();
  });

  it('is trouble when it cannot be read', () => {
    expect(textIfThere(directory)).toMatchObject({ code: 'EISDIR' });
  });
});
