// Needs the native addon.
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Refused } from '../../../src/os/libc/libc.ts';
import { handOver, socketPair, takeOver } from '../../../src/os/sockets/descriptor-passing.ts';
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

const taken = (socket: number): NonNullable<ReturnType<typeof takeOver>> => {
  const found = takeOver(libc, socket);
  if (found === undefined) throw new Error('nothing came');
  return found;
};

describe('passing descriptors', () => {
  it('descriptors arrive with their message', () => {
    withPair((ours, theirs) => {
      const nowhere = openSync('/dev/null', 'r');
      handOver(libc, ours, { message: Buffer.from('first'), descriptors: [nowhere, nowhere] });
      handOver(libc, ours, { message: Buffer.from('second'), descriptors: [nowhere] });
      closeSync(nowhere);
      for (const [text, count] of [
        ['first', 2],
        ['second', 1],
      ] as const) {
        const { message, descriptors } = taken(theirs);
        expect([message.toString(), descriptors.length]).toEqual([text, count]);
        for (const descriptor of descriptors) expect(fstatSync(descriptor).isCharacterDevice()).toBe(true);
        descriptors.forEach((descriptor) => closeSync(descriptor));
      }
      closeSync(ours);
    });
  });

  it('a descriptor may be the end of a channel', () => {
    withPair((ours, theirs) => {
      const [near, far] = socketPair(libc, 'stream');
      handOver(libc, ours, { message: Buffer.from('channel'), descriptors: [far] });
      closeSync(far);
      const [end = -1] = taken(theirs).descriptors;
      writeSync(end, 'word');
      const word = Buffer.alloc(4);
      readSync(near, word);
      expect(word.toString()).toBe('word');
      [near, end, ours].forEach((descriptor) => closeSync(descriptor));
    });
  });

  it('a message may have no descriptor, and the end of the other side is seen', () => {
    withPair((ours, theirs) => {
      handOver(libc, ours, { message: Buffer.from('last'), descriptors: [] });
      closeSync(ours);
      expect(takeOver(libc, theirs)).toEqual({ message: Buffer.from('last'), descriptors: [] });
      expect(takeOver(libc, theirs)).toBeUndefined();
    });
  });

  it('passing fails without a receiver, and with an invalid descriptor', () => {
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
