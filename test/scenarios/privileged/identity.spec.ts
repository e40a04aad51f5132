// Needs the native addon.
// Privileged: the user of a service, and what that user may do.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { serviceLog } from '../support/logs.ts';
import { killSupervisor } from '../support/own-death.ts';
import {
  asRoot,
  capabilitiesOf,
  contained,
  environmentOf,
  idOf,
  manifest,
  runningSys,
  startSys,
  statusLine,
} from '../support/privileged.ts';
import { shell, steady } from '../support/recipes.ts';
import { agree, come, expectDone, expectFailed, pass } from '../support/witnesses.ts';

/** Debian's: `www-data` is 33, `nobody` 65534, `daemon` 1, `adm` 4. */
const accountOf = (name: string): { uid: number; gid: number; home: string; shell: string } => {
  const [, , uid, gid, , home = '', program = ''] =
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((line) => line.startsWith(`${name}:`))
      ?.split(':') ?? [];
  return { uid: Number(uid), gid: Number(gid), home, shell: program };
};

const NONE = [0n, 0n, 0n, 0n];
const BIND = 1n << 10n;

type Env = Readonly<Record<string, string>>;

describe('a service of a root supervisor', () => {
  asRoot('whose user nobody tells of in time is not started, and can be stopped meanwhile', async (stage) => {
    const silent = join(stage.work, 'bin');
    mkdirSync(silent);
    writeFileSync(join(silent, 'getent'), '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 });
    stage.declare(manifest({ web: steady({ user: 'somebody', restart_policy: 'never' }) }));
    const environment = { PATH: `${silent}:${process.env['PATH'] ?? ''}` };
    const start = stage.begin(['start', '--sys', '--daemonize'], { environment });
    await pass(stage, { web: 'starting' });
    expectDone(await stage.sup('stop'));
    await agree(stage, { web: 'stopped' });
    expect((await start.ended).status).not.toBe(0);
    expect((await stage.sup('start', '--sys')).stderr).toContain(
      'ERR0742 web: not started: user: getent passwd somebody did not answer within 5 s',
    );
  });

  asRoot('runs as the user and the groups that are named, by name or number', async (stage) => {
    const pids = await runningSys(stage, {
      named: steady({ user: 'www-data' }),
      numbered: steady({ user: '33', group: '4', supplementary_groups: ['daemon', '60'] }),
      stranger: steady({ user: '12345', group: '54321' }),
      grouped: steady({ group: 'adm' }),
    });
    const web = accountOf('www-data');
    expect([idOf(pids.named, 'Uid'), idOf(pids.named, 'Gid')]).toEqual([web.uid, web.gid]);
    expect(statusLine(pids.named, 'Groups')).toEqual([String(web.gid)]);
    expect([idOf(pids.numbered, 'Uid'), idOf(pids.numbered, 'Gid')]).toEqual([33, 4]);
    expect(statusLine(pids.numbered, 'Groups').map(Number)).toEqual([1, 33, 60]);
    expect([idOf(pids.stranger, 'Uid'), idOf(pids.stranger, 'Gid')]).toEqual([12345, 54321]);
    expect([idOf(pids.grouped, 'Uid'), idOf(pids.grouped, 'Gid')]).toEqual([0, 4]);
  });

  asRoot(
    'starts with the environment of its account, or with the supervisor’s when it inherits',
    async (stage) => {
      const pids = await runningSys(stage, {
        clean: steady({ user: 'www-data', env: { vars: { MODE: 'fast' } } }),
        heir: steady({ user: 'www-data', env: { inherit_env: true } }),
      });
      const { home, shell: login } = accountOf('www-data');
      const { SUP_UNIT, SUP_SUPERVISOR, ...clean } = environmentOf(pids.clean);
      expect([SUP_UNIT, SUP_SUPERVISOR]).toEqual(['__loose__/clean#1', stage.data]);
      expect(clean).toEqual({
        PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        HOME: home,
        USER: 'www-data',
        LOGNAME: 'www-data',
        SHELL: login,
        MODE: 'fast',
        SUP_PROJECT: '__loose__',
        SUP_SERVICE: 'clean',
      });
      expect(environmentOf(pids.heir)).toMatchObject({ HOME: stage.root, PATH: process.env['PATH'] });
    },
  );

  asRoot('starts with an empty environment where env is clean, with and without a user', async (stage) => {
    const env = { clean: true, vars: { MODE: 'fast' } };
    const pids = await runningSys(stage, { root: steady({ env }), web: steady({ user: 'www-data', env }) });
    const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
    const { home } = accountOf('www-data');
    const own = ({ SUP_UNIT, SUP_SUPERVISOR, SUP_PROJECT, SUP_SERVICE, ...rest }: Env): Env => rest;
    expect(own(environmentOf(pids.root))).toEqual({ PATH, MODE: 'fast' });
    expect(own(environmentOf(pids.web))).toMatchObject({ PATH, MODE: 'fast', HOME: home });
    expect(Object.keys(own(environmentOf(pids.web)))).toHaveLength(6);
  });

  asRoot('writes its log as somebody else, also through /dev/stdout opened anew', async (stage) => {
    await runningSys(stage, {
      web: shell('echo plain; echo again > /dev/stdout; echo wrong > /dev/stderr; exec sleep 1000', {
        user: 'www-data',
      }),
    });
    const texts = await eventually({
      what: 'three lines',
      look: () => {
        const lines = serviceLog(stage, 'web').map((line) => line.split(' ').slice(1).join(' '));
        return lines.length === 3 ? lines.toSorted() : undefined;
      },
    });
    expect(texts).toEqual(['stderr wrong', 'stdout again', 'stdout plain']);
  });

  asRoot(
    'keeps exactly the capabilities that are named, across exec and without being root',
    async (stage) => {
      const pids = await runningSys(stage, {
        web: steady({ user: 'www-data', capabilities: ['NET_BIND_SERVICE'] }),
        root: steady({ capabilities: ['cap_net_bind_service'] }),
        bare: steady({ capabilities: [] }),
        none: steady({ user: 'www-data', capabilities: [] }),
        plain: steady({ user: 'www-data' }),
        whole: steady(),
      });
      expect(capabilitiesOf(pids.web)).toEqual([BIND, BIND, BIND, BIND, BIND]);
      expect(capabilitiesOf(pids.root).slice(1)).toEqual([BIND, BIND, BIND, BIND]);
      expect(capabilitiesOf(pids.bare)).toEqual([...NONE, 0n]);
      expect(capabilitiesOf(pids.none)).toEqual([...NONE, 0n]);
      const [, permitted, effective, bounding] = capabilitiesOf(pids.whole);
      expect([permitted, effective, bounding]).toEqual(capabilitiesOf(process.pid).slice(1, 4));
      const [inheritable, , , , ambient] = capabilitiesOf(pids.plain);
      expect([inheritable, ambient, ...capabilitiesOf(pids.plain).slice(1, 3)]).toEqual(NONE);
    },
  );

  asRoot('has its signals, descriptors and session as any parent would leave them', async (stage) => {
    const { web } = await runningSys(stage, { web: steady({ user: 'www-data' }) });
    for (const set of ['SigBlk', 'SigIgn', 'SigCgt'])
      expect(statusLine(web, set), set).toEqual(['0'.repeat(16)]);
    expect(statusLine(web, 'NSsid')).toEqual([String(web)]);
    const { pid } = (await agree(stage, { web: 'running' })).web;
    expect(pid).toBe(web);
  });

  asRoot('is not run at all when somebody is not there', async (stage) => {
    const outcome = await startSys(stage, {
      user: shell('touch ran', { user: 'nosuch', restart_policy: 'never' }),
      group: shell('touch ran', { group: 'nosuch', restart_policy: 'never' }),
      extra: shell('touch ran', { supplementary_groups: ['nosuch'], restart_policy: 'never' }),
      number: shell('touch ran', { user: '12345', restart_policy: 'never' }),
    });
    expectFailed(outcome, 'ERR0106');
    for (const key of ['user', 'group', 'supplementary_groups'])
      expect(outcome.stderr).toContain(`not started: ${key}: this machine has no`);
    expect(outcome.stderr).toContain('not started: user: user 12345 has no account');
    await agree(stage, { user: 'failed', group: 'failed', extra: 'failed', number: 'failed' });
    expect(await stage.sup('logs').then(({ stdout }) => stdout)).toBe('');
  });

  asRoot('is refused when its user or a group has a number that no account can have', async (stage) => {
    const highest = 4_294_967_294;
    const above = await startSys(stage, {
      user: steady({ user: highest + 1, group: 65_534 }),
      group: steady({ user: 1, group: highest + 2 }),
      extra: steady({ user: 1, supplementary_groups: [String(highest + 2)] }),
    });
    expectFailed(above, 'ERR0213');
    expect(above.stderr.match(/ERR0213/g)).toHaveLength(3);
    const { last } = await runningSys(stage, { last: steady({ user: highest, group: highest }) });
    expect([idOf(last, 'Uid'), idOf(last, 'Gid')]).toEqual([highest, highest]);
  });

  asRoot(
    'is not tried again when its account or a CPU does not exist, and validate had said so',
    async (stage) => {
      const services = {
        nobody: steady({ user: 'no-such-user' }),
        cpu: steady({ limits: { cpu_affinity: [4000] }, restart_policy: 'always' }),
        early: steady({ working_dir: 'missing', backoff: '10m' }),
      };
      const file = stage.declare(manifest(services));
      const validated = await stage.sup('validate', '--sys', file);
      expect(validated.status).toBe(0);
      expect(validated.stderr).toMatch(/ERR0741.*no user "no-such-user": the service will not be started/);
      expect(validated.stderr).toMatch(/ERR0741.*no CPU 4000/);
      expectFailed(await stage.sup('start', '--sys', '-d'), 'ERR0106');
      const states = await agree(stage, { nobody: 'failed', cpu: 'failed', early: 'backoff' });
      for (const name of ['nobody', 'cpu'] as const)
        expect(states[name]).toMatchObject({ restarts: 0, next_attempt_at: null, run: 1 });
    },
  );

  asRoot('is known to have ended well by the supervisor that has adopted it', async (stage) => {
    const job = shell('while [ ! -e go ]; do sleep 0.05; done', { user: 'nobody', restart_policy: 'never' });
    await runningSys(stage, { job });
    await killSupervisor(stage);
    expectDone(await stage.sup('start', '--sys', '-d'));
    stage.write('go', '');
    const { job: ended } = await come(stage, { job: 'done' });
    expect(ended.last_exit).toMatchObject({ code: 0, signal: null });
  });

  contained('is refused by its key when its user is not mapped, and doctor had said so', async (stage) => {
    const outcome = await startSys(stage, { web: steady({ user: 'www-data', restart_policy: 'never' }) });
    expectFailed(outcome, 'ERR0742');
    expect(outcome.stderr).toContain('user: user www-data (33, of group 33) cannot be given its output');
    expect(outcome.stderr).toContain('not mapped into this user namespace (EINVAL)');
    const { stdout } = await stage.sup('doctor', '--sys');
    expect(stdout).toMatch(/root of a user namespace/);
    for (const key of ['user', 'group', 'supplementary_groups', 'isolation.network'])
      expect(stdout).toContain(`warning  key ${key}: not carried out`);
  });

  asRoot('is not run in a directory that is closed to its user', async (stage) => {
    const outcome = await startSys(stage, {
      web: shell('true', { user: 'www-data', working_dir: '/root', restart_policy: 'never' }),
    });
    expect(outcome.stderr).toContain('ERR0746');
    expect(outcome.stderr).toContain('working_dir: /root cannot be entered (EACCES)');
  });

  asRoot(
    'has its commands of sup exec run as its user, in the environment of that account',
    async (stage) => {
      await runningSys(stage, { web: steady({ user: 'www-data' }) });
      const { status, stdout } = await stage.sup(
        'exec',
        'web',
        '--sys',
        '--',
        'sh',
        '-c',
        'id -u; echo $HOME',
      );
      const { uid, home } = accountOf('www-data');
      expect([status, stdout]).toEqual([0, `${String(uid)}\n${home}\n`]);
    },
  );

  asRoot('has them run as its user also where its numbers are in the upper half', async (stage) => {
    await runningSys(stage, { big: steady({ user: 3_000_000_000, group: 4_294_967_294 }) });
    const { status, stdout } = await stage.sup('exec', 'big', '--sys', '--', 'sh', '-c', 'id -u; id -g');
    expect([status, stdout]).toEqual([0, '3000000000\n4294967294\n']);
  });
});
