// `-` as the name of a manifest: which commands read it from standard input, and what is wrong with an input.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../src/cli/command-line.ts';
import { fakeWorld } from './support/fake-world.ts';

const MANIFEST =
  'version: "2"\nprojects: { shop: { services: { web: { exec: [sleep, "1"], env: { file: e } } } } }\n';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sup-input-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

interface Ran {
  readonly status: number | undefined;
  readonly out: string;
  readonly err: string;
}

const supWith = async (input: Readable, line: readonly string[], isTerminal = false): Promise<Ran> => {
  const environment = { SUP_DATA_DIR: join(directory, 'data') };
  const { world, out, err } = fakeWorld({ directory, environment, uid: process.getuid?.() ?? 0 });
  const keyboard = { ...world.keyboard, isThere: isTerminal };
  const status = await run(line, { ...world, keyboard, input: () => input });
  return { status, out: out(), err: err() };
};

const sup = (text: string | Buffer, ...line: readonly string[]): Promise<Ran> =>
  supWith(Readable.from([Buffer.from(text)]), line);

describe('a manifest from standard input', () => {
  it.each([
    ['validate', '-'],
    ['validate', '-c', '-'],
    ['validate', '--config=-'],
  ])('is checked by %s %s, and relative paths begin in the working directory', async (...line) => {
    const without = await sup(MANIFEST, ...line);
    expect(without.err).toContain(`${directory}/<stdin>:2:`);
    expect(without.err).toContain('ERR0220');
    writeFileSync(join(directory, 'e'), 'A=1\n');
    expect(await sup(MANIFEST, ...line)).toMatchObject({
      status: 0,
      out: `${directory}/<stdin>: valid (1 project, 1 service)\n`,
    });
  });

  it('is printed by config, as the first file or as a later one', async () => {
    const file = join(directory, 'other.yaml');
    writeFileSync(
      file,
      'version: "2"\nprojects: { shop: { name: Other, services: { web: { exec: [a] } } } }\n',
    );
    const over = 'version: "2"\nprojects: { shop: { name: Given } }\n';
    const later = await sup(over, 'config', '-c', file, '-c', '-', '--json');
    expect(JSON.parse(later.out)).toMatchObject({
      files: [file, `${directory}/<stdin>`],
      config: { projects: { shop: { name: 'Given', services: { web: { exec: ['a'] } } } } },
    });
    const first = await sup(over, 'config', '-c', '-', '-c', file, '--json');
    expect(JSON.parse(first.out)).toMatchObject({ config: { projects: { shop: { name: 'Other' } } } });
  });

  it('is migrated to standard output', async () => {
    const old = 'version: 1\nproject: shop\nservices:\n  web: { command: x }\n';
    const { status, out } = await sup(old, 'migrate', '-');
    expect(status).toBe(0);
    expect(out).toContain('projects:\n');
  });

  it.each([
    ['an empty input', '', 'ERR0213'],
    ['a binary input', Buffer.from([0x80, 0xff, 0]), 'ERR0217'],
    ['more than 8 MiB', Buffer.alloc(8 * 1024 * 1024 + 1, '#'), 'ERR0245'],
  ])('%s is an error', async (_, text, code) => {
    const { status, err } = await sup(text, 'validate', '-');
    expect(err).toContain(code);
    expect(status).toBe(1);
  });

  it('an input that cannot be read is an error', async () => {
    const broken = new Readable({ read: (): void => void broken.destroy(new Error('EISDIR: a directory')) });
    const { status, err } = await supWith(broken, ['validate', '-']);
    expect(err).toContain('ERR0245 no manifest can be read from standard input: EISDIR: a directory');
    expect(status).toBe(1);
  });

  it('a terminal is refused instead of waited for', async () => {
    const { status, err } = await supWith(Readable.from([]), ['validate', '-'], true);
    expect(err).toContain('ERR0245 no manifest can be read from standard input: it is a terminal');
    expect(err).toContain('cat sup.yaml | sup validate -c -');
    expect(status).toBe(1);
  });

  it.each([
    ['start', 'the supervisor reads the file again'],
    ['apply', 'the supervisor reads the file again'],
    ['restart', 'the supervisor reads the file again'],
    ['supervise', 'the supervisor reads the file again'],
    ['plan', 'it compares the file of a registered manifest'],
    ['status', 'it looks a registered manifest up'],
    ['logs', 'it looks a registered manifest up'],
  ])('is refused by %s, which needs a file', async (command, why) => {
    const { status, err } = await sup(MANIFEST, command, '-c', '-');
    expect(err).toContain(`ERR0244 sup ${command} takes no manifest from standard input: ${why}`);
    expect(status).toBe(2);
  });

  it('is refused by forget and by migrate --in-place', async () => {
    expect((await sup(MANIFEST, 'forget', '-')).err).toContain('ERR0244');
    expect((await sup(MANIFEST, 'migrate', '-', '--in-place')).err).toContain('no file that --in-place');
  });
});
