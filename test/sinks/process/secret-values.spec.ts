import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readableSecrets, secretValues } from '../../../src/sinks/process/secret-values.ts';
import { directoryWith } from '../../manifest/loading.ts';

const fileWith = (content: string | Uint8Array): string => join(directoryWith({ secret: content }), 'secret');
const valueOf = (content: string | Uint8Array): string | undefined =>
  secretValues({ KEY: fileWith(content) }, false)['KEY'];

describe('the value of a secret', () => {
  it.each([
    ['s3cret', 's3cret'],
    ['s3cret\n', 's3cret'],
    ['s3cret\r\n', 's3cret'],
    ['two\nlines\n\n', 'two\nlines\n'],
    [' $A ${B} ', ' $A ${B} '],
    ['', ''],
    ['x'.repeat(65_536), 'x'.repeat(65_536)],
  ])('of %j only one newline at its end is removed', (content, value) => {
    expect(valueOf(content)).toBe(value);
  });

  it.each([
    ['NUL characters', 'a\0b', 'it contains a NUL character'],
    ['more than 64 KiB', 'x'.repeat(65_537), 'it has 65537 bytes; a secret may have 65536'],
    ['bytes that are no text', Uint8Array.of(0xff, 0xfe), 'it is not UTF-8 text'],
  ])('a file with %s is refused, without its content in the error', (_, content, why) => {
    const file = fileWith(content);
    expect(() => secretValues({ KEY: file }, false)).toThrow(`env.secrets.KEY: ${file}: ${why}`);
  });

  it('a missing file, a directory and one that others can write are refused', () => {
    const directory = directoryWith({ open: 'x' });
    chmodSync(join(directory, 'open'), 0o666);
    mkdirSync(join(directory, 'sub'));
    const why = (name: string) => (): unknown => secretValues({ KEY: join(directory, name) }, false);
    expect(why('none')).toThrow(/no such file$/);
    expect(why('sub')).toThrow(/it is a directory$/);
    expect(why('open')).toThrow(/it is not trusted: its mode is 0666; others must not be able to write it$/);
  });

  it('a changed file has its new value at the next reading', () => {
    const file = fileWith('old');
    const read = (): unknown => secretValues({ KEY: file }, false);
    expect(read()).toEqual({ KEY: 'old' });
    writeFileSync(file, 'new');
    expect(read()).toEqual({ KEY: 'new' });
  });

  it('a hook gets the secrets that can be read', () => {
    expect(readableSecrets({ A: fileWith('a'), B: '/nowhere/b' }, false)).toEqual({ A: 'a' });
  });
});
