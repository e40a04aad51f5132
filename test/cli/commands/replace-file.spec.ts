import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { replaceFile } from '../../../src/cli/commands/replace-file.ts';
import { directoryWith } from '../../sources/manifest/loading.ts';

describe('replacing a file', () => {
  it('leaves the new text, and the old one beside it', () => {
    const directory = directoryWith({ file: 'old' });
    replaceFile(join(directory, 'file'), 'new');
    expect(readFileSync(join(directory, 'file'), 'utf8')).toBe('new');
    expect(readFileSync(join(directory, 'file.bak'), 'utf8')).toBe('old');
  });

  it('leaves the file whole when the backup cannot be made', () => {
    const directory = directoryWith({ file: 'old' });
    mkdirSync(join(directory, 'file.bak'));
    expect(() => replaceFile(join(directory, 'file'), 'new')).toThrow();
    expect(readFileSync(join(directory, 'file'), 'utf8')).toBe('old');
    expect(readdirSync(directory).sort()).toEqual(['file', 'file.bak']);
  });
});
