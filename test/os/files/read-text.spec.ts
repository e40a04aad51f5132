import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { textIfThere } from '../../../src/os/files/own-file.ts';

describe('reading a file that may be missing', () => {
  let directory = '';
  beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'sup-text-'))));
  afterEach(() => rmSync(directory, { recursive: true }));

  it('an existing file is read', () => {
    writeFileSync(join(directory, 'file'), 'text');
    expect(textIfThere(join(directory, 'file'))).toBe('text');
  });

  it('a missing file is no error', () => {
    expect(textIfThere(join(directory, 'file'))).toBeUndefined();
  });

  it('an unreadable file is an error', () => {
    expect(textIfThere(directory)).toMatchObject({ code: 'EISDIR' });
  });
});
