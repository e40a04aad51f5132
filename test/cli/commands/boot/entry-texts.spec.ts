// Boot entries: their structure, and what is awkward in a path.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { crontabText, ownLine, tableWith } from '../../../../src/cli/commands/boot/crontab.ts';
import { openrcText } from '../../../../src/cli/commands/boot/openrc.ts';
import { MARKER, type BootPlace } from '../../../../src/cli/commands/boot/init-system.ts';
import { systemdText } from '../../../../src/cli/commands/boot/systemd.ts';

const PLACE: BootPlace = {
  node: '/usr/bin/node',
  supervisor: '/opt/sup/dist/supervisor.js',
  guardian: '/opt/sup/dist/sup-guardian',
  dataDir: '/home/me/.local/share/sup',
  sys: false,
  path: '/usr/local/bin:/usr/bin',
};
const AWKWARD: BootPlace = { ...PLACE, dataDir: `/srv/it's 100% "$HOME"` };

/** Sections with their assignments, in order. */
const sections = (text: string): Readonly<Record<string, readonly string[]>> => {
  const found: Record<string, string[]> = {};
  let section = '';
  for (const line of text.split('\n').filter((each) => each !== '' && !each.startsWith('#'))) {
    const [, name] = /^\[(.+)\]$/.exec(line) ?? [];
    if (name === undefined) found[section]?.push(line);
    else found[(section = name)] = [];
  }
  return found;
};

describe('a systemd unit', () => {
  it('a user unit lets services outlive the supervisor and gives an orderly stop its time', () => {
    const text = systemdText(PLACE);
    expect(text.startsWith(`# ${MARKER}`)).toBe(true);
    expect(sections(text)).toEqual({
      Unit: ['Description=sup, the supervisor of this user', 'StartLimitIntervalSec=0'],
      Service: [
        'Type=exec',
        'Environment="PATH=/usr/local/bin:/usr/bin"',
        'Environment="SUP_DATA_DIR=/home/me/.local/share/sup"',
        'ExecStart="/usr/bin/node" "--v8-pool-size=1" "/opt/sup/dist/sup.js" "supervise"',
        expect.stringMatching(/^ExecStartPost=-\/bin\/sh -c '/),
        'ExecReload=/bin/sh -c "kill -HUP ${MAINPID}"',
        'KillMode=process',
        'Restart=on-failure',
        'RestartSec=100ms',
        'RestartPreventExitStatus=3',
        'TimeoutStopSec=5min',
        'OOMPolicy=continue',
        'TasksMax=infinity',
      ],
      Install: ['WantedBy=default.target'],
    });
  });

  it('a system unit waits for the network and may create cgroups', () => {
    const { Unit, Service, Install } = sections(systemdText({ ...PLACE, sys: true }));
    expect(Unit).toContain('After=network-online.target');
    expect(Service).toContain(
      'ExecStart="/usr/bin/node" "--v8-pool-size=1" "/opt/sup/dist/sup.js" "supervise" "--sys"',
    );
    expect([Service?.at(-1), Install]).toEqual(['Delegate=yes', ['WantedBy=multi-user.target']]);
  });

  it.each([
    ['has the data directory', process.pid, `${process.pid}\n`],
    ['has ended', 2 ** 22 + 1, '1\n'],
  ])('the start of a systemd unit is over if the supervisor %s', (_, main, recorded) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sup-unit-'));
    try {
      writeFileSync(join(dataDir, 'sup.pid'), recorded);
      const [, script = ''] = /^ExecStartPost=-\/bin\/sh -c '(.*)'$/m.exec(systemdText(PLACE)) ?? [];
      const asSystemd = script.replaceAll('${MAINPID}', String(main)).replaceAll('$$', '$');
      const env = { PATH: process.env['PATH'], SUP_DATA_DIR: dataDir };
      const { error, stdout } = spawnSync('/bin/sh', ['-c', `${asSystemd}; echo over`], {
        ...{ env, encoding: 'utf8', timeout: 20_000 },
      });
      expect([error, stdout]).toEqual([undefined, main === process.pid ? 'over\n' : '']);
    } finally {
      rmSync(dataDir, { recursive: true });
    }
  });

  it('a systemd unit escapes its paths', () => {
    expect(systemdText(AWKWARD)).toContain(String.raw`Environment="SUP_DATA_DIR=/srv/it's 100%% \"$HOME\""`);
    const odd = systemdText({ ...PLACE, supervisor: '/opt/a $b%/dist/supervisor.js' });
    expect(odd).toContain('"/opt/a $$b%%/dist/sup.js"');
  });

  it('a systemd unit passes systemd-analyze if that is installed', () => {
    const directory = mkdtempSync(join(tmpdir(), 'sup-unit-'));
    try {
      const file = join(directory, 'sup.service');
      const real = { ...PLACE, node: process.execPath, sys: true };
      writeFileSync(file, systemdText(real));
      const { error, status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], {
        encoding: 'utf8',
      });
      if (error === undefined) expect([status, stderr]).toEqual([0, '']);
      else expect(error.message).toContain('ENOENT');
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

/** The words that a shell makes of it. */
const wordsOf = (line: string): readonly string[] =>
  execFileSync('sh', ['-c', `for word in ${line}; do printf '%s\\n' "$word"; done`], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');

describe('a crontab line', () => {
  it('a crontab line starts the supervisor under its guardian, with escaped paths', () => {
    const text = crontabText(AWKWARD);
    expect(text.startsWith('@reboot PATH=/usr/local/bin:/usr/bin SUP_DATA_DIR=')).toBe(true);
    // What cron makes of it: `\%` is a percent sign.
    const line = text.slice('@reboot '.length, text.indexOf(' >/dev/null')).replaceAll(String.raw`\%`, '%');
    expect(text).not.toMatch(/[^\\]%/);
    expect(wordsOf(line)).toEqual([
      ...['PATH=/usr/local/bin:/usr/bin', `SUP_DATA_DIR=${AWKWARD.dataDir}`],
      ...['/opt/sup/dist/sup-guardian', AWKWARD.dataDir, '/usr/bin/node'],
      ...['--v8-pool-size=1', '/opt/sup/dist/supervisor.js', '--guarded'],
    ]);
  });

  it.each(['', '0 5 * * * backup\n', '0 5 * * * backup'])(
    'a crontab line is added to %j and removed again',
    (table) => {
      const line = crontabText(PLACE);
      const filled = tableWith(table, line);
      expect(ownLine(filled)).toBe(line);
      expect(filled.endsWith(`\n${line}`) || filled === line).toBe(true);
      expect(tableWith(filled, line)).toBe(filled);
      expect(tableWith(filled, '').trimEnd()).toBe(table.trimEnd());
      expect(ownLine(table)).toBeUndefined();
    },
  );
});

describe('an OpenRC script', () => {
  it('an OpenRC script is valid shell and has the guardian as its command', () => {
    const text = openrcText({ ...AWKWARD, sys: true });
    expect(text.split('\n')[1]).toContain(MARKER);
    expect(() => execFileSync('sh', ['-n'], { input: text })).not.toThrow();
    // What is evaluated once more by OpenRC.
    const shown = `${text}\nfor word in "$command" $(eval "printf '%s\\n' $command_args" | tr ' ' '_'); do echo "$word"; done`;
    expect(execFileSync('sh', ['-c', shown], { encoding: 'utf8' }).trimEnd().split('\n')).toEqual([
      ...['/opt/sup/dist/sup-guardian', AWKWARD.dataDir.replaceAll(' ', '_'), '/usr/bin/node'],
      ...['--v8-pool-size=1'],
      ...['/opt/sup/dist/supervisor.js', '--guarded', '--sys'],
    ]);
    expect(text).toContain('retry="TERM/300"');
  });
});
