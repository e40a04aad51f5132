import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTrusted } from '../../../../src/sources/manifest/read/read-file.ts';
import { troubleOnTheWay } from '../../../../src/sources/manifest/read/way.ts';
import { directoryWith } from '../loading.ts';

const root = process.getuid?.() === 0;
const STRANGER = 4242;

/** `<directory>/inner/file` of root's; without root the way begins with somebody else's directory. */
const place = (): { inner: string; file: string } => {
  const inner = join(directoryWith({}), 'inner');
  mkdirSync(inner, { mode: 0o755 });
  const file = join(inner, 'file');
  writeFileSync(file, 'x', { mode: 0o600 });
  return { inner, file };
};

describe('the way to a file of a privileged supervisor', () => {
  it('is fine where every directory is root’s, below a sticky one too', () => {
    const trouble = troubleOnTheWay(place().file);
    if (root) expect(trouble).toBeUndefined();
    else expect(trouble).toMatch(/is owned by user \d+; with --sys it must be owned by root$/);
  });

  it.runIf(root)('is not to be written by others', () => {
    const { inner, file } = place();
    chmodSync(inner, 0o775);
    expect(troubleOnTheWay(file)).toBe(
      `the directory ${inner} on the way to it has mode 0775; with --sys neither group nor others may write it`,
    );
    chmodSync(inner, 0o1777);
    expect(troubleOnTheWay(file)).toBeUndefined();
  });

  it.runIf(root)('is not to lead through what is somebody else’s, a link least of all', () => {
    const { inner, file } = place();
    chownSync(inner, STRANGER, STRANGER);
    expect(troubleOnTheWay(file)).toBe(
      `the directory ${inner} on the way to it is owned by user 4242; with --sys it must be owned by root`,
    );
    const link = join(directoryWith({}), 'link');
    symlinkSync(file, link);
    expect(troubleOnTheWay(link)).toContain(`the directory ${inner} on the way to it is owned by user 4242`);
    const other = place();
    const [relative, round] = [join(other.inner, 'relative'), join(other.inner, 'round')];
    symlinkSync('../inner/file', relative);
    expect(troubleOnTheWay(relative)).toBeUndefined();
    symlinkSync('round', round);
    expect(troubleOnTheWay(round)).toBe('there are too many links on the way to it');
  });

  it.runIf(root)('is asked for with --sys only', () => {
    const { inner, file } = place();
    chmodSync(inner, 0o777);
    expect(readTrusted(file, { uid: 0, sys: true }, 10)).toMatchObject({ tag: 'untrusted' });
    expect(readTrusted(file, { uid: 0, sys: false }, 10)).toMatchObject({ tag: 'read' });
  });
});
