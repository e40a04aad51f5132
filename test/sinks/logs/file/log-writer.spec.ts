import { readFileSync, statSync, symlinkSync, unlinkSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { plainMemory } from '../../../../src/sinks/logs/buffer/memory.ts';
import { Slot } from '../../../../src/sinks/logs/buffer/slot.ts';
import { GrowingBytes } from '../../../../src/sinks/logs/bytes.ts';
import { LogFile } from '../../../../src/sinks/logs/file/log-file.ts';
import { LogWriter } from '../../../../src/sinks/logs/file/log-writer.ts';
import { Liner } from '../../../../src/sinks/logs/lines.ts';
import { moments } from '../../../../src/sinks/logs/stamp.ts';
import { temporary, until } from '../harness.ts';

interface Writing {
  readonly writer: LogWriter;
  readonly troubles: string[];
  /** Text as if it had been read. */
  readonly read: (text: string) => boolean;
}

const writing = (path: string, maxBytes = 0): Writing => {
  const troubles: string[] = [];
  const onTrouble = (text: string): void => void troubles.push(text);
  const file = new LogFile({ rules: () => ({ path, maxBytes, maxFiles: 100 }), onTrouble });
  onTestFinished(() => file.close());
  const times = moments();
  const ports = { name: 'shop/web', file, out: new GrowingBytes(), moments: times, onTrouble };
  const writer = new LogWriter(ports);
  const slot = new Slot(plainMemory());
  const source = { slot, liner: new Liner('stdout'), note: () => undefined };
  const read = (text: string): boolean => {
    const bytes = Buffer.from(text);
    let all = true;
    for (let at = 0; at < bytes.length;) {
      const length = bytes.copy(slot.listen(), 0, at);
      slot.counted(length, times.now());
      all = writer.write(source);
      at += length;
    }
    return all;
  };
  return { writer, troubles, read };
};
const lines = (count: number, length = 10): string => `${'x'.repeat(length - 1)}\n`.repeat(count);

describe('a log writer', () => {
  it('has written everything when it returns, floods as well', () => {
    const path = `${temporary()}/web.log`;
    const { read } = writing(path);
    expect([read('one\n'), read(lines(10_000, 100))]).toEqual([true, true]);
    expect(statSync(path).size).toBe(4 + 10_000 * 100 + 10_001 * 35);
  });

  it('rotates in the same turn, before the line that would not fit', () => {
    const path = `${temporary()}/web.log`;
    const { read } = writing(path, 1000);
    read(lines(100));
    // 22 lines of 45 bytes.
    expect(statSync(path).size).toBe(540);
    for (const number of [1, 2, 3, 4]) expect(statSync(`${path}.${String(number)}`).size).toBe(990);
  });

  it.each([
    ['small', 3],
    ['large', 30_000],
  ])(
    'drops and counts %s pieces while the disk is full, says so once, and says what is missing',
    async (_, count) => {
      const path = `${temporary()}/web.log`;
      symlinkSync('/dev/full', path);
      const { writer, troubles, read } = writing(path);
      for (let times = 0; times < 5; times += 1) read(lines(count));
      expect(troubles).toEqual([
        'the log of shop/web cannot be written (ENOSPC): its output is dropped until it can',
      ]);
      unlinkSync(path);
      const dropped = 5 * count;
      await until(() => {
        writer.release();
        return troubles.length === 2;
      });
      expect(troubles[1]).toBe(
        `the log of shop/web is written again; ${String(dropped)} lines were dropped: ENOSPC`,
      );
      read('back\n');
      const log = readFileSync(path, 'utf8').split('\n');
      expect(log.map((line) => line.slice(28))).toEqual([
        `sup ${String(dropped)} lines were dropped: ENOSPC`,
        'stdout back',
        '',
      ]);
    },
  );
});
