import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Refused } from '../../../src/os/libc.ts';
import { handOver, socketPair, takeOver } from '../../../src/os/libc/handing.ts';
import { libcOfThisMachine } from '../support.ts';

const libc = libcOfThisMachine();

const withPair = (play: (ours: number, theirs: number) => void): void => {
  const [ours, theirs] = socketPair(libc, 'messages');
  try {
    play(ours, theirs);
  } finally {
    closeSync(theirs);
  }
};

describe('descriptors that are handed over', () => {
  it('arrive with their message, as others of the same thing', () => {
    withPair((ours, theirs) => {
      const [near, far] = socketPair(libc, 'stream');
      const nowhere = openSync('/dev/null', 'r');
      handOver(libc, ours, { message: Buffer.from('first'), descriptors: [nowhere, far] });
      handOver(libc, ours, { message: Buffer.from('second'), descriptors: [nowhere] });
      for (const descriptor of [nowhere, far]) closeSync(descriptor);
      const first = takeOver(libc, theirs);
      expect(first?.message.toString()).toBe('first');
      const [file = -1, socket = -1] = first?.descriptors ?? [];
      expect([fstatSync(file).isCharacterDevice(), fstatSync(socket).isSocket()]).toEqual([true, true]);
      writeSync(socket, 'word');
      const word = Buffer.alloc(4);
      readSync(near, word);
      expect(word.toString()).toBe('word');
      const second = takeOver(libc, theirs);
      expect([second?.message.toString(), second?.descriptors.length]).toEqual(['second', 1]);
      for (const descriptor of [near, file, socket, ...(second?.descriptors ?? [])]) closeSync(descriptor);
      closeSync(ours);
    });
  });

  it('may be none, and come to an end with the other side', () => {
    withPair((ours, theirs) => {
      handOver(libc, ours, { message: Buffer.from('last'), descriptors: [] });
      closeSync(ours);
      expect(takeOver(libc, theirs)).toEqual({ message: Buffer.from('last'), descriptors: [] });
      expect(takeOver(libc, theirs)).toBeUndefined();
    });
  });

  it('are refused where nobody is, and where it is none', () => {
    const [ours, theirs] = socketPair(libc, 'messages');
    closeSync(theirs);
    const message = Buffer.from('x');
    expect(() => handOver(libc, ours, { message, descriptors: [] })).toThrow(Refused);
    closeSync(ours);
    withPair((mine) => {
      expect(() => handOver(libc, mine, { message, descriptors: [99_999] })).toThrow('EBADF');
      closeSync(mine);
    });
  });
});
