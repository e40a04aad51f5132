import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LaunchRefused } from '../../../src/sinks/privilege/launch-reports.ts';
import { provideStateDirectory } from '../../../src/sinks/privilege/state-directory.ts';

const OWN = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
const fresh = (): string => mkdtempSync(join(tmpdir(), 'sup-state-'));

const refusalOf = (path: string, owner = OWN, sys = false): string => {
  try {
    provideStateDirectory(path, owner, { sys });
  } catch (error) {
    if (error instanceof LaunchRefused)
      return `${error.refusal.code} ${error.refusal.key}: ${error.refusal.detail}`;
    throw error;
  }
  return 'made';
};

const modeOf = (path: string): number => statSync(path).mode & 0o7777;

it('a missing state directory is made for its owner only, whatever the umask, with parents that all may enter', () => {
  const at = fresh();
  const path = join(at, 'a', 'b', 'state');
  const before = process.umask(0o077);
  try {
    expect(refusalOf(path)).toBe('made');
  } finally {
    process.umask(before);
  }
  expect([modeOf(path), modeOf(join(at, 'a')), modeOf(join(at, 'a', 'b'))]).toEqual([0o700, 0o755, 0o755]);
  expect(readdirSync(join(at, 'a', 'b'))).toEqual(['state']);
});

it('a state directory that is there keeps its mode and what is in it', () => {
  const path = join(fresh(), 'state');
  mkdirSync(path);
  chmodSync(path, 0o750);
  writeFileSync(join(path, 'data'), 'x');
  expect(refusalOf(path)).toBe('made');
  expect(modeOf(path)).toBe(0o750);
  expect(readdirSync(path)).toEqual(['data']);
});

it('a link, a file and a directory of another user are no state directory, and stay as they are', () => {
  const at = fresh();
  const [link, file, other] = ['link', 'file', 'other'].map((name) => join(at, name)) as [
    string,
    string,
    string,
  ];
  symlinkSync('/', link);
  writeFileSync(file, 'x');
  mkdirSync(other);
  expect(refusalOf(link)).toBe(`ERR0126 state_dir: ${link} is a symbolic link: name the directory itself`);
  expect(refusalOf(file)).toBe(`ERR0126 state_dir: ${file} is no directory`);
  expect(refusalOf(other, { uid: OWN.uid + 1, gid: 7 })).toBe(
    `ERR0126 state_dir: ${other} belongs to user ${OWN.uid}, and the service runs as ${OWN.uid + 1}; nothing was changed: if it is the right one, chown -R ${OWN.uid + 1}:7 ${other}`,
  );
  expect(statSync(other).uid).toBe(OWN.uid);
});

it('with --sys no state directory is made where other users may write', () => {
  const at = fresh();
  chmodSync(at, 0o777);
  const path = join(at, 'state');
  expect(refusalOf(path, OWN, true)).toMatch(/^ERR0126 state_dir: .*state: .*with --sys/);
  expect(existsSync(path)).toBe(false);
});

it('a directory that cannot be made is refused with the reason', () => {
  expect(refusalOf('/proc/nowhere/state')).toMatch(
    /^ERR0126 state_dir: \/proc\/nowhere\/state cannot be made: /,
  );
});
