import { readFileSync, statSync, symlinkSync, unlinkSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { plainMemory } from '../../../../src/sinks/logs/buffer/output-memory.ts';
import { Slot } from '../../../../src/sinks/logs/buffer/output-slot.ts';
import { GrowingBytes } from '../../../../src/sinks/logs/growing-bytes.ts';
import { nodeDisk, type LogDisk } from '../../../../src/sinks/logs/file/rotate-log.ts';
import { RotatedFile, type LogFileRules } from '../../../../src/sinks/logs/file/log-file.ts';
import { LogWriter } from '../../../../src/sinks/logs/file/log-writer.ts';
import { SpareDescriptor } from '../../../../src/sinks/logs/file/spare-descriptor.ts';
import { Liner, moments } from '../../../../src/sinks/logs/log-lines.ts';
import { temporary, until } from '../harness.ts';

interface Writing {
  readonly writer: LogWriter;
  readonly troubles: string[];
  /** Text as if it had been read. */
  readonly read: (text: string) => boolean;
}

interface Parts {
  readonly maxBytes?: number;
  readonly disk?: LogDisk;
  readonly reserve?: SpareDescriptor;
}

/** Nothing can be opened while `none()` says that no descriptor is free. */
const diskWithout = (none: () => boolean): LogDisk => ({
  ...nodeDisk,
  open: (path, flags) => {
    if (none()) throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
    return nodeDisk.open(path, flags);
  },
});

const writing = (path: string, { maxBytes = 0, disk = nodeDisk, reserve }: Parts = {}): Writing => {
  const troubles: string[] = [];
  const logError = (text: string): void => void troubles.push(text);
  const rules = (): LogFileRules => ({ path, maxBytes, maxFiles: 100 });
  const file = new RotatedFile({ rules, logError, disk, ...(reserve && { reserve }) });
  onTestFinished(() => file.close());
  const times = moments();
  const ports = { name: 'shop/web', file, out: new GrowingBytes(), moments: times, logError };
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
  it('a log writer has written everything when it returns, also a flood', () => {
    const path = `${temporary()}/web.log`;
    const { read } = writing(path);
    expect([read('one\n'), read(lines(10_000, 100))]).toEqual([true, true]);
    expect(statSync(path).size).toBe(4 + 10_000 * 100 + 10_001 * 35);
  });

  it('a log writer rotates in the same turn, before the line that would not fit', () => {
    const path = `${temporary()}/web.log`;
    const { read } = writing(path, { maxBytes: 1000 });
    read(lines(100));
    // 22 lines of 45 bytes.
    expect(statSync(path).size).toBe(540);
    for (const number of [1, 2, 3, 4]) expect(statSync(`${path}.${String(number)}`).size).toBe(990);
  });

  it('a log writer reports missing lines once the disk works again, also for a silent service', async () => {
    const path = `${temporary()}/web.log`;
    let isFull = true;
    const full = (): never => {
      throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    };
    const disk: LogDisk = {
      ...nodeDisk,
      write: (fd, bytes) => (isFull ? full() : nodeDisk.write(fd, bytes)),
    };
    const { writer, read, troubles } = writing(path, { disk });
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    read('lost\n');
    writer.release();
    await vi.advanceTimersByTimeAsync(2_500);
    expect(writer.refusal).toBe('ENOSPC');
    isFull = false;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(writer.refusal).toBeUndefined();
    expect(readFileSync(path, 'utf8')).toContain('1 lines were dropped: ENOSPC');
    expect(troubles).toHaveLength(2);
  });

  it('a log writer reports at most twice a minute that a disk has room for short lines only', () => {
    const path = `${temporary()}/web.log`;
    const disk: LogDisk = {
      ...nodeDisk,
      write: (fd, bytes) => {
        if (bytes.length > 200) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
        return nodeDisk.write(fd, bytes);
      },
    };
    const { read, troubles } = writing(path, { disk });
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    // In one turn of the loop: a busy machine would take its time for each of hundreds.
    const minutes = (count: number): number => {
      const before = troubles.length;
      for (let second = 0; second < count * 60; second += 1) {
        read(lines(30));
        vi.advanceTimersByTime(1_000);
      }
      return troubles.length - before;
    };
    minutes(5);
    expect(minutes(10)).toBeLessThanOrEqual(20);
  });

  it.each([
    ['small', 3],
    ['large', 30_000],
  ])(
    'a log writer drops and counts %s pieces while the disk is full, reports it once, and reports what is missing',
    async (_, count) => {
      const path = `${temporary()}/web.log`;
      symlinkSync('/dev/full', path);
      const { writer, troubles, read } = writing(path);
      for (let times = 0; times < 5; times += 1) read(lines(count));
      expect(troubles).toEqual([
        'the log of shop/web cannot be written (ENOSPC): its output is dropped until it can',
      ]);
      expect(writer.refusal).toBe('ENOSPC');
      unlinkSync(path);
      const dropped = 5 * count;
      await until(() => {
        writer.release();
        return troubles.length === 2;
      });
      expect(troubles[1]).toBe(
        `the log of shop/web is written again; ${String(dropped)} lines were dropped: ENOSPC`,
      );
      expect(writer.refusal).toBeUndefined();
      read('back\n');
      const log = readFileSync(path, 'utf8').split('\n');
      expect(log.map((line) => line.slice(28))).toEqual([
        `sup ${String(dropped)} lines were dropped: ENOSPC`,
        'stdout back',
        '',
      ]);
    },
  );

  it('a log writer drops nothing for lack of a descriptor: it writes the rest when there is one', async () => {
    const path = `${temporary()}/web.log`;
    let none = true;
    const { writer, troubles, read } = writing(path, { disk: diskWithout(() => none) });
    expect(read('one\n')).toBe(false);
    expect(troubles).toEqual(['the log of shop/web waits for a free descriptor: raise `ulimit -n`']);
    none = false;
    await writer.idle();
    expect(read('two\n')).toBe(true);
    expect(readFileSync(path, 'utf8').replaceAll(/^\S+ stdout /gm, '')).toBe('one\ntwo\n');
  });

  it('a log writer opens the log with the reserved descriptor and returns it', () => {
    const path = `${temporary()}/web.log`;
    const reserve = new SpareDescriptor();
    let lent = 0;
    const disk = diskWithout(() => (lent += 1) % 2 === 1);
    const { troubles, read } = writing(path, { disk, reserve });
    expect([read('one\n'), read('two\n')]).toEqual([true, true]);
    expect(troubles).toEqual([]);
    expect(reserve.lend()).toBe(true);
    expect(readFileSync(path, 'utf8').replaceAll(/^\S+ stdout /gm, '')).toBe('one\ntwo\n');
  });
});
