import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RotatedFile, type LogFileRules } from '../../../../src/sinks/logs/file/log-file.ts';
import { nodeDisk } from '../../../../src/sinks/logs/file/rotate-log.ts';
import { temporary } from '../harness.ts';

const fileAt = (rules: LogFileRules, troubles: string[] = []): RotatedFile => {
  const file = new RotatedFile({ rules: () => rules, logError: (text) => void troubles.push(text) });
  onTestFinished(() => file.close());
  return file;
};
const read = (path: string): string => readFileSync(path, 'utf8');
/** As a writer does: one line at a time here. */
const append = (file: RotatedFile, ...texts: string[]): void => {
  for (const line of texts.flatMap((text) => text.match(/.*\n/g) ?? [])) {
    if (line.length > file.room() && file.place().size > 0) file.rotate();
    expect(file.append(Buffer.from(line))).toBeUndefined();
  }
};

describe('a log file', () => {
  it('a log file that cannot be closed is reported once and forgotten', () => {
    const path = `${temporary()}/web.log`;
    const troubles: string[] = [];
    const close = (fd: number): void => {
      nodeDisk.close(fd);
      throw Object.assign(new Error('EDQUOT: quota exceeded, close'), { code: 'EDQUOT' });
    };
    const file = new RotatedFile({
      rules: () => ({ path, maxBytes: 0, maxFiles: 2 }),
      logError: (text) => void troubles.push(text),
      disk: { ...nodeDisk, close },
    });
    append(file, 'one\n');
    file.close();
    expect(troubles).toEqual([expect.stringContaining('may lack what was written last (EDQUOT')]);
    file.rotate();
    append(file, 'two\n');
    expect(read(path)).toBe('two\n');
    expect(() => file.close()).not.toThrow();
  });

  it('a log file that takes only part of a write has none of it, and the error of the kernel is given', () => {
    const path = `${temporary()}/web.log`;
    const most = 6;
    const write = (fd: number, bytes: Buffer): number => {
      const room = most - nodeDisk.stat(fd).size;
      if (room === 0) throw Object.assign(new Error('EFBIG: file too large, write'), { code: 'EFBIG' });
      return nodeDisk.write(fd, bytes.subarray(0, room));
    };
    const rules = (): LogFileRules => ({ path, maxBytes: 0, maxFiles: 2 });
    const file = new RotatedFile({ rules, logError: () => undefined, disk: { ...nodeDisk, write } });
    append(file, 'one\n');
    expect(file.append(Buffer.from('two\n'))).toMatchObject({ error: { code: 'EFBIG' } });
    expect(read(path)).toBe('one\n');
    file.close();
  });

  it('a log file is rotated before it exceeds max_bytes, and exactly max_files are kept', () => {
    const path = `${temporary()}/shop/web.log`;
    const file = fileAt({ path, maxBytes: 10, maxFiles: 2 });
    append(file, 'one\n', 'two\n', 'three\n', 'four\nfive\nsix\n', 'seven\n');
    expect(readdirSync(dirname(path)).sort()).toEqual(['web.log', 'web.log.1', 'web.log.2']);
    expect([read(`${path}.2`), read(`${path}.1`), read(path)]).toEqual([
      'three\n',
      'four\nfive\n',
      'six\nseven\n',
    ]);
  });

  it('a log file splits no line, and a line longer than max_bytes gets its own file', () => {
    const path = `${temporary()}/web.log`;
    const file = fileAt({ path, maxBytes: 10, maxFiles: 5 });
    append(file, `a\n${'b'.repeat(25)}\nc\n`);
    expect([read(`${path}.2`), read(`${path}.1`), read(path)]).toEqual(['a\n', `${'b'.repeat(25)}\n`, 'c\n']);
  });

  it('compressed files take part in the rotation, whichever of them are compressed', () => {
    const path = `${temporary()}/web.log`;
    const file = fileAt({ path, maxBytes: 4, maxFiles: 3 });
    writeFileSync(`${path}.1`, '1');
    writeFileSync(`${path}.2.gz`, '2');
    writeFileSync(`${path}.3`, '3');
    writeFileSync(`${path}.4.gz`, '4');
    writeFileSync(path, '0');
    file.rotate();
    expect(readdirSync(dirname(path)).sort()).toEqual(['web.log.1', 'web.log.2', 'web.log.3.gz']);
    expect(['.1', '.2', '.3.gz'].map((name) => read(path + name))).toEqual(['0', '1', '2']);
  });

  it('a log file is never rotated with max_bytes 0', () => {
    const path = `${temporary()}/web.log`;
    append(fileAt({ path, maxBytes: 0, maxFiles: 2 }), ...Array.from({ length: 100 }, () => 'line\n'));
    expect(statSync(path).size).toBe(500);
    expect(existsSync(`${path}.1`)).toBe(false);
  });

  it('no rotated file is kept with max_files 0', () => {
    const path = `${temporary()}/web.log`;
    append(fileAt({ path, maxBytes: 5, maxFiles: 0 }), 'one\n', 'two\n');
    expect(readdirSync(dirname(path))).toEqual(['web.log']);
    expect(read(path)).toBe('two\n');
  });

  it('rotated files of a larger max_files are removed', () => {
    const path = `${temporary()}/web.log`;
    for (const number of [1, 2, 3, 4, 5]) writeFileSync(`${path}.${String(number)}`, `${String(number)}\n`);
    append(fileAt({ path, maxBytes: 5, maxFiles: 2 }), 'one\n', 'two\n');
    expect(readdirSync(dirname(path)).sort()).toEqual(['web.log', 'web.log.1', 'web.log.2']);
    expect([read(`${path}.1`), read(`${path}.2`)]).toEqual(['one\n', '1\n']);
  });

  it('an interrupted rotation is completed', () => {
    const path = `${temporary()}/web.log`;
    for (const number of [1, 3]) writeFileSync(`${path}.${String(number)}`, `${String(number)}\n`);
    append(fileAt({ path, maxBytes: 5, maxFiles: 3 }), 'one\n', 'two\n');
    expect([1, 2, 3].map((number) => read(`${path}.${String(number)}`))).toEqual(['one\n', '1\n', '3\n']);
  });

  it('an existing log file is continued, its size counts, and a torn end is completed', () => {
    const path = `${temporary()}/web.log`;
    writeFileSync(path, 'torn');
    append(fileAt({ path, maxBytes: 10, maxFiles: 1 }), 'one\n', 'two\n');
    expect([read(`${path}.1`), read(path)]).toEqual(['torn\none\n', 'two\n']);
  });

  it('a log file is still written, with a warning, while it cannot be rotated', () => {
    const path = `${temporary()}/web.log`;
    mkdirSync(`${path}.1/full`, { recursive: true });
    const troubles: string[] = [];
    append(fileAt({ path, maxBytes: 5, maxFiles: 1 }, troubles), 'one\n', 'two\n', 'three\n');
    expect(read(path)).toBe('one\ntwo\nthree\n');
    expect(troubles).toHaveLength(1);
  });

  it('a moved or truncated log file is noticed within a second', async () => {
    const path = `${temporary()}/web.log`;
    const file = fileAt({ path, maxBytes: 8, maxFiles: 1 });
    const aSecond = (): Promise<void> =>
      new Promise((resolve) => {
        setTimeout(resolve, 1050);
      });
    append(file, 'one\n');
    renameSync(path, `${path}.moved`);
    await aSecond();
    append(file, 'two\n', '3rd\n');
    truncateSync(path);
    await aSecond();
    append(file, 'new\n');
    expect([read(`${path}.moved`), read(path)]).toEqual(['one\n', 'new\n']);
    expect(existsSync(`${path}.1`)).toBe(false);
  });
});
