import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  judgeCodeCache,
  judgeFfi,
  judgeNode,
  judgeWalls,
} from '../../../../src/cli/commands/doctor/check-programs.ts';
import { installationOf, mendInstallation } from '../../../../src/supervisor/loader/installation.ts';

describe('the programs of sup', () => {
  it('Node must be recent enough', () => {
    expect(judgeNode('v20.19.3', '/node')).toEqual({
      id: 'node',
      level: 'ok',
      says: 'Node v20.19.3 (/node)',
    });
    const old = { level: 'problem', mend: 'install Node 20.19 or later' };
    expect(judgeNode('v18.20.0', '/node')).toMatchObject(old);
  });

  it('a missing C library is reported with its cost', () => {
    expect(judgeFfi(undefined, { mend: 'npm …' })).toMatchObject({ level: 'ok' });
    const lacking = judgeFfi('no such package', { mend: 'npm …' });
    expect(lacking).toMatchObject({ level: 'warning', mend: 'npm …' });
    expect(lacking.says).toContain('(no such package): services with user, limits');
    const undone = 'sockets (shop/web)';
    expect(judgeFfi('no such package', { mend: 'npm …', undone }).says).toBe(
      'no calls to the C library (no such package): not carried out: sockets (shop/web)',
    );
  });

  it('the addon is named, with the reason if it is not the one of the package', () => {
    const path = '/sup/addon.node';
    expect(judgeFfi(undefined, { mend: 'npm …', origin: { kind: 'prebuilt', path } })).toEqual({
      ...{ id: 'ffi', level: 'ok' },
      says: 'calls to the C library work, through the prebuilt addon /sup/addon.node',
    });
    const origin = { kind: 'compiled', path, refused: 'it is damaged' } as const;
    expect(judgeFfi(undefined, { mend: 'npm …', origin })).toEqual({
      ...{ id: 'ffi', level: 'warning', mend: 'npm …' },
      says: 'calls to the C library work, through the compiled addon /sup/addon.node; the prebuilt one is not used: it is damaged',
    });
  });

  it.each([
    ['{"type":"commonjs"}', 'clone', 'npm run addon'],
    ['{"type":"commonjs","installation":"npm"}', 'npm', 'npm install -g'],
    ['{"type":"commonjs","installation":"deb"}', 'deb', 'apt-get install'],
    ['{"type":"commonjs","installation":"tarball"}', 'tarball', 'unpack'],
    ['{"installation":"?"}', 'clone', 'npm run addon'],
    ['no JSON', 'clone', 'npm run addon'],
  ])('the installation is read from the package.json beside the program: %s', (text, kind, mend) => {
    const directory = mkdtempSync(join(tmpdir(), 'sup-installation-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    writeFileSync(join(directory, 'package.json'), text);
    const installation = installationOf(join(directory, 'supervisor.js'));
    expect(installation).toEqual({ kind, directory });
    expect(mendInstallation(installation, 'addon')).toContain(mend);
  });

  it('the npm package has no code cache, which is no defect', () => {
    expect(judgeCodeCache('absent', 'npm …', 'npm')).toMatchObject({ level: 'ok' });
    expect(judgeCodeCache('damaged', 'npm …', 'npm')).toMatchObject({ level: 'warning' });
  });

  it('a missing code cache is reported with its reason', () => {
    expect(judgeCodeCache('used', 'npm …')).toMatchObject({ id: 'code cache', level: 'ok' });
    for (const [why, says] of [
      ['absent', 'left none'],
      ['damaged', 'damaged'],
      ['refused', 'another Node'],
    ] as const) {
      const finding = judgeCodeCache(why, 'npm …');
      expect(finding).toMatchObject({ level: 'warning', mend: 'npm …' });
      expect(finding.says).toContain(says);
    }
  });
});

describe('confinement that needs the C library', () => {
  it('missing confinement is named with what is missing', () => {
    expect(judgeWalls(undefined, 'npm …')).toMatchObject({ level: 'ok' });
    const lacking = judgeWalls('no such package', 'npm …');
    expect(lacking).toMatchObject({ level: 'warning', mend: 'npm …' });
    expect(lacking.says).toContain('callers of the control socket are not judged');
  });
});
