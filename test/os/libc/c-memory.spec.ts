// Needs the native addon.
import { describe, expect, it } from 'vitest';
import { cFunction } from '../../../src/os/libc/libc.ts';
import { cString, TextBlock, words32, words64 } from '../../../src/os/libc/c-memory.ts';
import { libcOfThisMachine } from '../support.ts';

const STRLEN = cFunction('long', 'strlen', 'pointer');

describe('memory for C', () => {
  it('a string ends with a zero byte', () => {
    expect(libcOfThisMachine().call(STRLEN, cString('über'))).toBe(5);
    expect(() => cString('a\0b')).toThrow('holds a zero byte');
  });

  describe('a block of strings', () => {
    const libc = libcOfThisMachine();
    const copied = (from: number, bytes: number): Buffer => {
      const to = Buffer.alloc(bytes);
      libc.call(cFunction('long', 'memcpy', 'pointer', 'ulong', 'ulong'), to, from, bytes);
      return to;
    };
    const textAt = (at: number): string => {
      const length = libc.call(cFunction('long', 'strlen', 'ulong'), at);
      return copied(at, length).toString();
    };
    /** As C reads it: up to NULL. */
    const vectorAt = (at: number): readonly string[] => {
      const texts: string[] = [];
      for (let word = at; ; word += 8) {
        const to = Number(copied(word, 8).readBigUInt64LE(0));
        if (to === 0) return texts;
        texts.push(textAt(to));
      }
    };
    const VECTORS = [['one', 'three'], ['', 'über', ''], [], ['x'.repeat(100_000), 'ends']];

    it.each(VECTORS.map((texts) => [texts]))(
      'a vector ends with NULL, and its pointers lead to the strings',
      (texts) => {
        const block = new TextBlock(libc);
        for (const before of ['', 'a', 'seven b']) {
          block.begin([before, ...texts, ...texts]);
          const at = block.text(before);
          const [first, second] = [block.vector(texts), block.vector(texts)];
          expect([first % 8, second % 8]).toEqual([0, 0]);
          expect([textAt(at), vectorAt(first), vectorAt(second)]).toEqual([before, texts, texts]);
        }
      },
    );

    it('a string with a zero byte is refused', () => {
      const block = new TextBlock(libc);
      block.begin(['a\0b', 'c']);
      expect(() => block.text('a\0b')).toThrow('"a\\u0000b" holds a zero byte');
      expect(() => block.vector(['c', 'a\0b'])).toThrow('"a\\u0000b" holds a zero byte');
      expect(() => block.vector(['a\0', 'c'])).toThrow('holds a zero byte');
    });
  });

  it('words are laid out', () => {
    expect([...words32(1, 0xffff_ffff)]).toEqual([1, 0, 0, 0, 255, 255, 255, 255]);
    expect([...words64(258n)]).toEqual([2, 1, 0, 0, 0, 0, 0, 0]);
  });
});
