import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { FileRefused, type Load, runProgram } from '../../../src/supervisor/loader/run-program.ts';

const SAID = Symbol.for('test.said');
const textOf = (word: string): string =>
  `(function(require,file,{codeCache}){const {basename}=require('node:path');` +
  `globalThis[Symbol.for('test.said')]=['${word}',basename(file),codeCache]})`;

let program: string;
let bundle: string;
let cache: string;
beforeEach(() => {
  const place = mkdtempSync(join(tmpdir(), 'sup-program-'));
  onTestFinished(() => rmSync(place, { recursive: true }));
  [program, bundle, cache] = ['p.js', 'p.bundle.js', 'p.bundle.cache'].map((name) => join(place, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(bundle, textOf('one'));
});

const said = (): unknown => {
  Reflect.deleteProperty(globalThis, SAID);
  runProgram(program, createRequire(program) as Load);
  return Reflect.get(globalThis, SAID);
};

const made = (text: string): Buffer => {
  const script = new Script(text);
  script.runInThisContext();
  return script.createCachedData();
};

const keep = (text: string, first: Buffer, second = first): void =>
  writeFileSync(cache, Buffer.concat([first, second, Buffer.from(text)]));

const flipped = (data: Buffer, at: number): Buffer => {
  const other = Buffer.from(data);
  other.writeUInt8(other.readUInt8(at) ^ 1, at);
  return other;
};

describe('running a program', () => {
  it('a program runs without a code cache, and leaves none', () => {
    expect(said()).toEqual(['one', 'p.bundle.js', 'absent']);
    expect(existsSync(cache)).toBe(false);
  });

  it('a program runs from its code cache', () => {
    // What V8 has compiled in this process it does not look for in a cache: so that is one of another text.
    writeFileSync(bundle, textOf('six'));
    keep(textOf('six'), made(textOf('two')));
    const before = readFileSync(cache);
    expect(said()).toEqual(['two', 'p.bundle.js', 'used']);
    expect(readFileSync(cache)).toEqual(before);
  });

  it('a program runs its own text, whatever the cache contains', () => {
    const data = made(textOf('two'));
    // Of the same length: V8 would execute it.
    keep(textOf('two'), data);
    expect(said()).toEqual(['one', 'p.bundle.js', 'damaged']);
  });

  it('a program runs without a cache that is torn, empty, or has a wrong bit', () => {
    const data = made(textOf('one'));
    for (const ruin of [
      () => writeFileSync(cache, readFileSync(cache).subarray(0, -2)),
      () => writeFileSync(cache, ''),
      () => writeFileSync(cache, Buffer.alloc(data.length * 2 + textOf('one').length)),
      () => keep(textOf('one'), flipped(data, data.length - 20), data),
    ]) {
      keep(textOf('one'), data);
      ruin();
      expect(said()).toEqual(['one', 'p.bundle.js', 'damaged']);
    }
  });

  it('a program runs without a cache that V8 refuses, of another version or other options', () => {
    const data = made(textOf('two'));
    // Behind the magic number there are the hashes of version, text and options.
    for (const [at, word] of [
      [4, 'old'],
      [12, 'odd'],
    ] as const) {
      writeFileSync(bundle, textOf(word));
      keep(textOf(word), flipped(data, at));
      expect(said()).toEqual([word, 'p.bundle.js', 'refused']);
    }
  });

  it('a program whose text is missing or damaged is refused with the path of the text', () => {
    writeFileSync(bundle, textOf('one').slice(0, -20));
    expect(said).toThrow(new FileRefused(bundle));
    rmSync(bundle);
    expect(said).toThrow(new FileRefused(bundle));
  });
});
