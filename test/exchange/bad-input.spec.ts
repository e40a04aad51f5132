// Whatever a file to import holds: a manifest or a typed error, soon, and without an exception.
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { importFiles } from '../../src/exchange/import-files.ts';
import { IMPORT_FORMATS } from '../../src/exchange/import-formats.ts';
import { Failure } from '../../src/streams/views/errors/command-failure.ts';
import { ownFiles } from './corpus/corpus-files.ts';
import { imported, importRefusal } from './support/imported.ts';

const directory = mkdtempSync(join(tmpdir(), 'sup-bad-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** Processor time of one import; the slowest takes a fifth of it on an idle machine. */
const LONGEST_MS = 20_000;

interface Input {
  readonly format?: string;
  readonly standardInput?: string;
}

/** Resolves to `imported`, or to the code of the typed error. */
const outcomeOf = async (path: string, { format, standardInput = '' }: Input = {}): Promise<string> => {
  const before = process.cpuUsage();
  try {
    await importFiles({
      ...{ files: [path], format, directory, environment: {} },
      standardInput: () => Promise.resolve(standardInput),
      evaluate: () => Promise.reject(new Error('nothing is evaluated')),
    });
    return 'imported';
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return thrown.document.code;
  } finally {
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(LONGEST_MS);
  }
};

const TYPED = /^(?:imported|ERR080[1-8]|ERR081\d)$/;

const FORMATS = IMPORT_FORMATS.map(({ name }) => name);

const seeds = (format: string): readonly Buffer[] =>
  ownFiles()
    .filter((file) => file.format === format)
    .slice(0, 3)
    .map(({ path }) => readFileSync(path));

const at = join(directory, 'input');
const given = (content: string | Uint8Array): string => {
  writeFileSync(at, content);
  return at;
};

const HOSTILE: Readonly<Record<string, string>> = {
  empty: '',
  'only a comment': '# nothing\n; nothing\n',
  'bytes that are no UTF-8': '\ufffd\ufffd:\ufffd=\ufffd\n[\ufffd]\n',
  'brackets that are never closed': '['.repeat(100_000),
  'braces that are never closed': '{"a":'.repeat(50_000),
  'maps that are nested 5000 deep': Array.from({ length: 5000 }, (_, depth) => `${' '.repeat(depth)}a:`).join(
    '\n',
  ),
  'lists that are nested 100,000 deep': `a: ${'- '.repeat(100_000)}x`,
  'aliases that grow without end': `a: &a [x, x]\n${Array.from({ length: 60 }, (_, n) => `b${n}: &b${n} [${n === 0 ? '*a' : `*b${n - 1}`}, ${n === 0 ? '*a' : `*b${n - 1}`}]`).join('\n')}\nservices: *b59\nprocesses: *b59\napps: *b59\n`,
  'an alias of itself': 'services: &s\n  a: *s\nprocesses: *s\napps: *s\n',
  'a line of 3 MB': 'a'.repeat(3_000_000),
  'names of the prototype':
    '__proto__: { a: b }\nservices: { __proto__: { command: x }, constructor: { command: y } }\n',
};

/** Files in which names of the prototype of an object stand as names and values. */
const PROTOTYPE: Readonly<Record<string, string>> = {
  compose:
    'services:\n  web: { command: "echo ${constructor} $toString", depends_on: [constructor], restart: toString }\n',
  'process-compose':
    'constructor: 1\nprocesses:\n  web: { command: "echo $constructor {{.toString}}", availability: { restart: constructor } }\n',
  pm2: '{"apps":[{"script":"constructor","interpreter":"toString","increment_var":"constructor"}]}',
  procfile: 'constructor: echo $toString\n',
  supervisord: '[program:constructor]\ncommand=a\n[group:toString]\nprograms=constructor\n',
  crontab: 'constructor=x\n* * * * * constructor\n',
  systemd:
    '[Service]\nExecStart=/a $constructor\nconstructor=x\nType=toString\nRestart=constructor\nProtectSystem=valueOf\n',
};

describe.each(FORMATS)('bad input of the format %s', (format) => {
  it(`${format}: a file that was cut off at any place is imported or refused`, async () => {
    for (const seed of seeds(format))
      for (let end = 0; end < seed.length; end += 50)
        expect(await outcomeOf(given(seed.subarray(0, end)), { format })).toMatch(TYPED);
  });

  it.each(Object.entries(HOSTILE))(`${format}: %s`, async (_, text) => {
    expect(await outcomeOf(given(text), { format })).toMatch(TYPED);
    expect(await outcomeOf('-', { format, standardInput: text })).toMatch(TYPED);
  });

  it(`${format}: names of the prototype mean nothing`, async () => {
    const { manifest } = await importFiles({
      ...{ files: ['-'], format, directory, environment: {} },
      standardInput: () => Promise.resolve(PROTOTYPE[format] ?? ''),
      evaluate: () => Promise.reject(new Error('nothing is evaluated')),
    });
    expect(manifest).not.toMatch(/function|\[native|\[object/);
  });

  it(`${format}: a million lines`, async () => {
    expect(await outcomeOf(given('a\n'.repeat(1_000_000)), { format })).toMatch(TYPED);
  });

  it(`${format}: a binary file is refused`, async () => {
    expect(await outcomeOf(given(Buffer.from([1, 0, 2, 255])), { format })).toBe('ERR0803');
  });

  it(`${format}: 100 MB are refused by their size, without reading them`, async () => {
    const large = given('');
    truncateSync(large, 100_000_000);
    const before = process.memoryUsage().rss;
    expect(await outcomeOf(large, { format })).toBe('ERR0803');
    expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000);
  });

  it(`${format}: what is no file is refused`, async () => {
    const fifo = join(directory, `fifo-${format}`);
    execFileSync('mkfifo', [fifo]);
    const empty = join(directory, `empty-${format}`);
    mkdirSync(empty);
    expect(await outcomeOf(fifo, { format })).toBe('ERR0803');
    expect(await outcomeOf('/dev/zero', { format })).toBe('ERR0803');
    expect(await outcomeOf(join(directory, 'missing'), { format })).toBe('ERR0803');
    expect(await outcomeOf(empty, { format })).toBe('ERR0801');
  });
});

describe('a file of no known format', () => {
  it('is refused with the formats that there are', async () => {
    expect(await outcomeOf(given('hello\n'))).toBe('ERR0801');
    expect(await outcomeOf('-', { standardInput: 'hello\n' })).toBe('ERR0801');
    expect(await outcomeOf(given('hello\n'), { format: 'no-such-format' })).toBe('ERR0801');
  });
});

describe('a file with a fault', () => {
  it.each(FORMATS)('%s: text that is not UTF-8 is refused with its line', async (format) => {
    const text = Buffer.from('# a\n# caf\xe9\n', 'latin1');
    const told = 'file cannot be imported: line 2 is not UTF-8; iconv -f latin1 -t utf-8 converts a file';
    expect(await importRefusal({ file: text }, { format })).toContain(told);
  });

  it.each([
    [
      'compose.yaml',
      'services:\n  a: { command: x }\ninclude:\n  - b.yaml\n',
      'compose.yaml:4 cannot be read',
    ],
    [
      'compose.yaml',
      'services:\n  a:\n    extends: { service: b, file: b.yaml }\n',
      'compose.yaml:3 cannot be read',
    ],
    ['supervisord.conf', '\n[program:a]\nuser=b\n', '[program:a] cannot be imported: it has no command'],
  ])('%s with %j is refused with the place', async (name, text, told) => {
    expect(await importRefusal({ [name]: text })).toContain(told);
  });

  it('a file that is read only if it exists is refused with its path if a link leads in a circle', async () => {
    const loop = mkdtempSync(join(directory, 'loop-'));
    symlinkSync('.env', join(loop, '.env'));
    writeFileSync(join(loop, 'compose.yaml'), 'services: { a: { image: x } }');
    expect(await outcomeOf(join(loop, 'compose.yaml'))).toBe('ERR0803');
  });

  it.each([
    ['Procfile', 'web: a\rworker: b\r', '      worker:\n        command: b\n'],
    ['supervisord.conf', '[program:a]\ncommand=a\nenvironment=A=%(ENV_NOPE)s\n', 'vars: { A: "${NOPE}" }'],
    [
      'process-compose.yaml',
      'processes: { a: { command: x, depends_on: [b] } }',
      'b is not a process of this file',
    ],
    [
      'process-compose.yaml',
      'processes: { a: { command: x, environment: ["A B=c", "D=e"] } }',
      'no variable can have the name "A B"',
    ],
    ['compose.yaml', 'services: { a: { command: x, ports: [""] } }', '"" is not a port'],
    ['a.service', '[Service]\nExecStart=""\n', 'ExecStart (line 2): there is no command'],
  ])('%s with %j becomes a manifest that loads and says what is lost', async (name, text, told) => {
    const { manifest, loaded } = await imported({ [name]: text });
    expect(manifest.replaceAll(/\n\s+# /g, ' ')).toContain(told);
    const errors = loaded.problems.filter(({ severity }) => severity === 'error');
    // A variable that is not set is an error of this environment only.
    expect(errors.filter(({ code }) => code !== 'ERR0216')).toEqual([]);
  });
});
