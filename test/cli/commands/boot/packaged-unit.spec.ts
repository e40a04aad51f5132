// The unit that a package of sup brings: `sup boot` reports, enables and disables it, and never writes it.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  isWell,
  standing,
  statusLines,
  type BootReport,
} from '../../../../src/cli/commands/boot/boot-report.ts';
import type { BootPlace, InitSystem, Tool } from '../../../../src/cli/commands/boot/init-system.ts';
import { systemd, systemdText } from '../../../../src/cli/commands/boot/systemd.ts';

const PLACE: BootPlace = {
  node: '/usr/lib/sup/bin/node',
  supervisor: '/usr/lib/sup/dist/supervisor.js',
  guardian: '/usr/lib/sup/dist/sup-guardian',
  dataDir: '/var/lib/sup',
  sys: true,
  path: '/usr/sbin:/usr/bin',
};

/** What the packaging makes of the text: its own first lines, and for a user no `Environment=`. */
const packagedText = (place: BootPlace): string =>
  systemdText(place)
    .split('\n')
    .slice(1)
    .filter((line) => place.sys || !line.startsWith('Environment='))
    .join('\n')
    .replace('[Unit]\n', '[Unit]\nDocumentation=man:sup(1)\n');

let root = '';
let asked: string[] = [];
let isOn = false;

/** A `systemctl` that keeps in mind whether the unit is enabled. */
const tool: Tool = (program, args) => {
  asked.push([program, ...args].join(' '));
  if (args.includes('enable')) isOn = true;
  if (args.includes('disable')) isOn = false;
  return { status: args.includes('is-enabled') && !isOn ? 1 : 0, stdout: '0', stderr: '' };
};

const unit = (kind: 'packaged' | 'own'): string => join(root, kind, 'sup.service');

const entry = (place: BootPlace, isDefaultData = true): InitSystem =>
  systemd({ place, tool, directory: join(root, 'own'), packaged: join(root, 'packaged'), isDefaultData });

const report = (init: InitSystem): BootReport => ({
  ...{ action: 'status', sys: true, init, changed: false, verified: null, dryRun: false },
  ...standing(init, []),
});

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sup-packaged-'));
  for (const kind of ['own', 'packaged']) mkdirSync(join(root, kind));
  [asked, isOn] = [[], false];
});
afterEach(() => rmSync(root, { recursive: true }));

describe('the unit of a package', () => {
  it('status reports the unit of the package, which install enables and remove disables', () => {
    writeFileSync(unit('packaged'), packagedText(PLACE));
    const init = entry(PLACE);
    expect([init.where, isWell(report(init))]).toEqual([unit('packaged'), false]);
    expect(statusLines(report(init))[1]).toContain('not enabled');
    init.place();
    expect([isWell(report(init)), statusLines(report(init))[2]]).toEqual([true, 'it came with the package']);
    init.remove();
    expect(isWell(report(init))).toBe(false);
    expect([existsSync(unit('own')), readFileSync(unit('packaged'), 'utf8')]).toEqual([
      false,
      packagedText(PLACE),
    ]);
    expect(asked.filter((line) => !/is-enabled|show/.test(line))).toEqual([
      'systemctl enable sup.service',
      'systemctl disable sup.service',
    ]);
  });

  it.each([
    ['another program', { ...PLACE, supervisor: '/opt/sup/dist/supervisor.js' }],
    ['another data directory', { ...PLACE, dataDir: '/srv/sup' }],
  ])('a unit of the package for %s is left alone, and sup writes its own before it', (_, place) => {
    writeFileSync(unit('packaged'), packagedText(PLACE));
    const init = entry(place, false);
    expect(report(init)).toMatchObject({ installed: false, ours: false });
    init.place();
    expect(readFileSync(unit('own'), 'utf8')).toBe(systemdText(place));
    expect(init.hints()).toEqual([`it is used in place of the unit of the package (${unit('packaged')})`]);
    init.remove();
    expect([existsSync(unit('own')), existsSync(unit('packaged'))]).toEqual([false, true]);
  });

  it('a unit that sup wrote counts before the unit of the package', () => {
    writeFileSync(unit('packaged'), packagedText(PLACE));
    writeFileSync(unit('own'), systemdText(PLACE));
    expect(entry(PLACE).where).toBe(unit('own'));
  });

  it('for a user the unit of the package counts once it is enabled, and only for the usual data directory', () => {
    const user = { ...PLACE, sys: false, dataDir: '/home/me/.local/share/sup' };
    writeFileSync(unit('packaged'), packagedText(user));
    expect(entry(user).where).toBe(unit('own'));
    isOn = true;
    expect(entry(user).where).toBe(unit('packaged'));
    expect(entry({ ...user, dataDir: '/srv/sup' }, false).where).toBe(unit('own'));
  });
});
