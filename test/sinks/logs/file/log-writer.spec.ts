import { readFileSync, statSync, symlinkSync, unlinkSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BufferPool } from '../../../../src/sinks/logs/file/buffer-pool.ts';
import { LogFile } from '../../../../src/sinks/logs/file/log-file.ts';
import { LogWriter } from '../../../../src/sinks/logs/file/log-writer.ts';
import { stampClock } from '../../../../src/sinks/logs/stamp.ts';
import { temporary, until } from '../harness.ts';

const writing = (path: string): { writer: LogWriter; troubles: string[] } => {
  const troubles: string[] = [];
  const onTrouble = (text: string): void => void troubles.push(text);
  const file = new LogFile(() => ({ path, maxBytes: 0, maxFiles: 1 }), onTrouble);
  onTestFinished(() => file.close());
  const ports = { name: 'shop/web', file, pool: new BufferPool(), stamp: stampClock(), onTrouble };
  return { writer: new LogWriter(ports), troubles };
};
const lines = (count: number, length = 10): Buffer =>
  Buffer.from(`${'x'.repeat(length - 1)}\n`.repeat(count));

describe('a log writer', () => {
  it('has written what is no flood when it returns', () => {
    const path = `${temporary()}/web.log`;
    const { writer } = writing(path);
    expect([writer.append(Buffer.from('one\n')), writer.append(lines(1000, 100))]).toEqual([true, true]);
    expect(statSync(path).size).toBe(100_004);
  });

  it('asks for a pause when much is waiting, and keeps the order of all of it', async () => {
    const path = `${temporary()}/web.log`;
    const { writer } = writing(path);
    const pieces = Array.from({ length: 40 }, (_, at) =>
      Buffer.from(`${String(at).repeat(9)}\n`.repeat(3000)),
    );
    const answers = pieces.map((piece) => writer.append(piece));
    expect([answers[0], answers.at(-1)]).toEqual([true, false]);
    await writer.idle();
    expect(readFileSync(path).equals(Buffer.concat(pieces))).toBe(true);
    expect(writer.append(Buffer.from('more\n'))).toBe(true);
  });

  it.each([
    ['small', 3],
    ['large', 30_000],
  ])(
    'drops and counts %s pieces while the disk is full, says so once, and says what is missing',
    async (_, count) => {
      const path = `${temporary()}/web.log`;
      symlinkSync('/dev/full', path);
      const { writer, troubles } = writing(path);
      for (let times = 0; times < 5; times += 1) {
        writer.append(lines(count));
        await writer.idle();
      }
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
      writer.append(Buffer.from('back\n'));
      expect(readFileSync(path, 'utf8').slice(28)).toBe(
        `sup ${String(dropped)} lines were dropped: ENOSPC\nback\n`,
      );
    },
  );
});
