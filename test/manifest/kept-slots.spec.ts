import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withSlots } from '../../src/manifest/manifest-source.ts';
import { ms } from '../../src/streams/domain/time.ts';
import { idOf, manifestOf, specOf } from '../support/spec.ts';

let statePath = '';
let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sup-kept-slots-'));
  statePath = join(root, 'slot');
});
afterEach(() => rmSync(root, { recursive: true }));

const slots = (): unknown => {
  const blueGreen = { envVar: 'SLOT', slots: ['1', '2'], switchCommand: 'true', statePath } as const;
  const web = specOf('web', { deployment: { strategy: 'rolling', gracePeriod: ms(0), blueGreen } });
  const manifest = manifestOf(web);
  return withSlots({ path: manifest.path, manifest, problems: [] }).slots;
};

describe('what the file of a slot says', () => {
  it.each([
    ['2\n', { [idOf('web')]: '2' }],
    [' 2 \nand more\n', { [idOf('web')]: '2' }],
    ['', undefined],
    ['\n2', undefined],
  ])('is its first line: %j', (text, said) => {
    writeFileSync(statePath, text);
    expect(slots()).toEqual(said);
  });

  it('is nothing where there is none', () => {
    expect(slots()).toBeUndefined();
  });

  it.each([
    ['a directory', () => execFileSync('mkdir', [statePath])],
    ['a pipe that nobody writes to', () => execFileSync('mkfifo', [statePath])],
    ['a device', () => execFileSync('ln', ['-s', '/dev/zero', statePath])],
  ])('is nothing where it is %s, and nobody waits', (_, make) => {
    make();
    expect(slots()).toBeUndefined();
  });
});
