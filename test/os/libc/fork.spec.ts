// Needs the native addon.
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inOneGo } from '../../../src/os/libc/fork.ts';
import { libcOfThisMachine } from '../support.ts';

const libc = libcOfThisMachine();

it('functions are called one after the other without returning to JavaScript, repeatedly', () => {
  const directory = mkdtempSync(join(tmpdir(), 'sup-one-go-'));
  const file = openSync(join(directory, 'said'), 'w');
  const texts = ['one ', 'two ', 'three\n'].map((text) => Buffer.from(text));
  const go = inOneGo(libc);
  for (let time = 0; time < 200; time += 1)
    go?.(texts.map((text) => ({ name: 'write', args: [file, libc.addressOf(text), text.length] })));
  closeSync(file);
  expect(readFileSync(join(directory, 'said'), 'utf8')).toBe(texts.join('').repeat(200));
  rmSync(directory, { recursive: true });
});

it('calls without a return are unavailable if the C library has no contexts', () => {
  expect(inOneGo({ ...libc, has: (name) => name !== 'makecontext' })).toBeUndefined();
});
