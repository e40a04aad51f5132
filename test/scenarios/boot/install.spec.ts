// `sup boot`, with a `systemctl`, a `systemd-analyze` and a `crontab` that only write down what they were asked.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Outcome } from '../support/command.ts';
import { linesOf } from '../support/marks.ts';
import { scenario } from '../support/scenario.ts';
import { expectSchema } from '../support/schemas.ts';
import { loose, steady } from '../support/recipes.ts';
import type { Stage } from '../support/stage.ts';
import { expectDone, expectFailed, started } from '../support/witnesses.ts';

const ENABLED = '"$HOME/w/enabled"';

const TOOLS = {
  systemctl: `echo "systemctl $*" >> "$HOME/w/asked"
case "$*" in
  *enable\\ sup.service) [ ! -e "$HOME/w/refusing" ] || { echo "Failed to connect to bus" >&2; exit 1; } ;;
esac
case "$*" in
  *disable*) rm -f ${ENABLED} ;;
  *is-enabled*) test -e ${ENABLED} ;;
  *enable*) touch ${ENABLED} ;;
  *show*) cat "$HOME/w/main-pid" 2>/dev/null || echo 0 ;;
esac`,
  'systemd-analyze': `[ "$1" = --version ] || { echo "systemd-analyze $*" >> "$HOME/w/asked"; ! grep -q wrong "$HOME/w/mood" 2>/dev/null || { echo "sup.service: it is wrong" >&2; exit 1; }; }`,
  crontab: `table="$HOME/w/table"
[ ! -e "$HOME/w/ill" ] || { echo "crontabs/root: Input/output error" >&2; exit 1; }
if [ "$1" = -l ]; then cat "$table" 2>/dev/null || { echo "no crontab for root" >&2; exit 1; }; else cat > "$table"; fi`,
};

const tools = (stage: Stage): Readonly<Record<string, string>> => {
  const directory = join(stage.root, 'bin');
  mkdirSync(directory);
  for (const [name, script] of Object.entries(TOOLS)) {
    writeFileSync(join(directory, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(directory, name), 0o755);
  }
  return { PATH: `${directory}:${process.env['PATH'] ?? ''}`, XDG_CONFIG_HOME: join(stage.root, 'config') };
};

const boot = async (
  stage: Stage,
  environment: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<Outcome> => {
  const outcome = await stage.begin(['boot', ...args], { environment }).ended;
  if (args.includes('--json') && outcome.stdout !== '') expectSchema(JSON.parse(outcome.stdout) as object);
  return outcome;
};

describe('sup boot with systemd', () => {
  scenario(
    'sup boot prints, checks, installs and enables a systemd unit, reports it, and removes it',
    async (stage) => {
      const environment = tools(stage);
      const unit = join(stage.root, 'config/systemd/user/sup.service');
      const run = (...args: readonly string[]) => boot(stage, environment, ...args, '--init', 'systemd');

      const dry = await run('install', '--dry-run');
      expectDone(dry);
      expect(dry.stdout).toContain(`Environment="SUP_DATA_DIR=${stage.data}"`);
      expect((await run('status')).stdout).toMatch(/^not installed \(systemd, .*sup\.service\)/);
      const refused = await run('install');
      expectFailed(refused, 'ERR0200', 2);
      expect(refused.stderr).toContain('KillMode=process');
      expect([refused.stderr.includes('sup boot install --init systemd --yes'), existsSync(unit)]).toEqual([
        true,
        false,
      ]);

      const installed = await run('install', '--yes');
      expectDone(installed);
      expect(installed.stderr).toContain('loginctl enable-linger');
      expect(readFileSync(unit, 'utf8')).toBe(dry.stdout);
      expect(linesOf(stage, 'asked').filter((line) => !/show|is-enabled/.test(line))).toEqual([
        expect.stringMatching(/^systemd-analyze --user verify --man=no .*\/sup\.service$/),
        'systemctl --user daemon-reload',
        'systemctl --user enable sup.service',
      ]);
      expect((await run('install')).stdout).toContain('is in place already');

      await started(stage, loose({ web: steady() }));
      const { document } = await stage.status();
      stage.write('main-pid', String(document.supervisor.pid));
      const status = await run('status', '--json');
      expect(status.status).toBe(0);
      expect(JSON.parse(status.stdout)).toMatchObject({
        ...{ schema: 'sup.boot/1', scope: 'user', init: 'systemd', where: unit },
        ...{ installed: true, ours: true, enabled: true, current: true, supervises: true },
      });
      stage.write('main-pid', '1');
      writeFileSync(unit, `${readFileSync(unit, 'utf8')}# changed\n`);
      const changed = await run('status');
      expect(changed.status).toBe(1);
      expect(changed.stdout).toContain('not as it would be written now');
      expect(changed.stdout).toContain('was not started by it');

      const removed = await run('remove', '--yes', '--json');
      expect(JSON.parse(removed.stdout)).toMatchObject({ action: 'remove', installed: false, changed: true });
      expect([existsSync(unit), existsSync(join(stage.work, 'enabled'))]).toEqual([false, false]);
      expectDone(await run('remove'));
    },
  );

  scenario('sup boot changes no file of another owner, and nothing if it refuses', async (stage) => {
    const environment = tools(stage);
    const unit = join(stage.root, 'config/systemd/user/sup.service');
    const run = (...args: readonly string[]) => boot(stage, environment, ...args, '--init', 'systemd');
    stage.write('mood', 'wrong');
    const wrong = await run('install', '--yes');
    expectFailed(wrong, 'ERR0604');
    expect([wrong.stderr.includes('it is wrong'), existsSync(unit)]).toEqual([true, false]);
    stage.write('mood', 'right');
    stage.write('refusing', '');
    expect((await run('install', '--yes')).stderr).toMatch(/^ERR0604 systemctl .*Failed to connect to bus/);
    expect(existsSync(unit)).toBe(false);

    const theirs = '[Service]\nExecStart=/bin/true\n';
    mkdirSync(join(unit, '..'), { recursive: true });
    writeFileSync(unit, theirs);
    expectFailed(await run('install', '--yes'), 'ERR0603');
    expectFailed(await run('remove', '--yes'), 'ERR0603');
    expect((await run('status')).stdout).toContain('was not written by sup boot');
    expect(readFileSync(unit, 'utf8')).toBe(theirs);
    expectFailed(await run('enable'), 'ERR0200', 2);
    expectFailed(await run('status', '--yes'), 'ERR0204', 2);
    expectFailed(await boot(stage, environment, 'status', '--init', 'upstart'), 'ERR0200', 2);
    expectFailed(await boot(stage, environment, 'status', '--init', 'openrc'), 'ERR0604');
  });
});

describe('sup boot with a crontab', () => {
  scenario('sup boot adds one line to a crontab and keeps the others', async (stage) => {
    const environment = tools(stage);
    const run = (...args: readonly string[]) => boot(stage, environment, ...args, '--init', 'crontab');
    stage.write('table', '0 5 * * * backup\n');
    expectDone(await run('install', '--yes'));
    const [others, line] = linesOf(stage, 'table');
    expect([others, line?.startsWith('@reboot PATH=')]).toEqual(['0 5 * * * backup', true]);
    expect((await run('status')).status).toBe(0);
    expectDone(await run('install', '--yes'));
    expect(linesOf(stage, 'table')).toEqual([others, line]);
    expectDone(await run('remove', '--yes'));
    expect(linesOf(stage, 'table')).toEqual([others]);
    expect((await run('status')).status).toBe(1);
  });

  scenario('sup boot creates a missing crontab, and leaves one that cannot be read', async (stage) => {
    const environment = tools(stage);
    const run = (...args: readonly string[]) => boot(stage, environment, ...args, '--init', 'crontab');
    expectDone(await run('install', '--yes'));
    expect(linesOf(stage, 'table')).toHaveLength(1);
    expectDone(await run('remove', '--yes'));
    stage.write('table', '0 5 * * * backup\n');
    stage.write('ill', '');
    for (const word of ['install', 'remove']) {
      const refused = await run(word, '--yes');
      expectFailed(refused, 'ERR0604');
      expect(refused.stderr).toContain('crontab -l: crontabs/root: Input/output error');
    }
    expect(linesOf(stage, 'table')).toEqual(['0 5 * * * backup']);
  });

  scenario('sup boot prints its line without a crontab program, and installs nothing', async (stage) => {
    const environment = { PATH: join(stage.root, 'nothing') };
    const run = (...args: readonly string[]) => boot(stage, environment, ...args, '--init', 'crontab');
    const dry = await run('install', '--dry-run');
    expectDone(dry);
    expect(dry.stdout).toMatch(/^@reboot PATH=/);
    const refused = await run('install', '--yes');
    expectFailed(refused, 'ERR0604');
    expect(refused.stderr).toContain('crontab');
  });

  scenario('sup boot keeps other lines of a crontab byte by byte, in any encoding', async (stage) => {
    const environment = tools(stage);
    const others = Buffer.from('0 5 * * * caf\xe9\n', 'latin1');
    const table = stage.write('table', '');
    writeFileSync(table, others);
    expectDone(await boot(stage, environment, 'install', '--yes', '--init', 'crontab'));
    expect(readFileSync(table).subarray(0, others.length)).toEqual(others);
    expectDone(await boot(stage, environment, 'status', '--init', 'crontab'));
  });
});

describe('sup purge --all', () => {
  scenario('purge --all removes the boot entry of this data directory and no other', async (stage) => {
    const environment = tools(stage);
    const purge = (data: string) =>
      stage.begin(['purge', '--all', '--yes'], { environment: { ...environment, SUP_DATA_DIR: data } }).ended;
    expectDone(await boot(stage, environment, 'install', '--yes'));
    expect((await purge(`${stage.data}-other`)).stdout).toBe('nothing is left\n');
    expect((await boot(stage, environment, 'status')).stdout).toContain('installed: ');
    expect((await purge(stage.data)).stdout).toContain('removed: the boot entry');
    expect((await boot(stage, environment, 'status')).stdout).toContain('not installed');
  });
});
