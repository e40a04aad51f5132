// Needs the native addon.
// Privileged: namespaces, Landlock and seccomp, as the kernel tells them and as they are felt from inside.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { serviceLog, supervisorLog } from '../support/logs.ts';
import {
  asRoot,
  capabilitiesOf,
  contained,
  idOf,
  namespaceOf,
  pidsOf,
  runningSys,
  startSys,
  statusLine,
} from '../support/privileged.ts';
import { killSupervisor } from '../support/own-death.ts';
import { shell, steady } from '../support/recipes.ts';
import type { Stage } from '../support/stage.ts';
import { agree, come, expectDone } from '../support/witnesses.ts';

const lines = (stage: Stage, service: string, count: number): Promise<readonly string[]> =>
  eventually({
    what: `${count} lines of ${service}`,
    look: () => {
      const texts = serviceLog(stage, service).map((line) => line.split(' ').slice(2).join(' '));
      return texts.length >= count ? texts : undefined;
    },
  });

const KINDS = ['net', 'mnt', 'pid', 'user'];
const own = (pid: number): readonly string[] =>
  KINDS.filter((kind) => namespaceOf(pid, kind) !== namespaceOf('self', kind));

/** What a shell and its tools need to begin. */
const SYSTEM = ['/usr', '/bin', '/lib', '/lib64', '/etc'];

describe('namespaces', () => {
  asRoot('are new where they are asked for, and only there', async (stage) => {
    const pids = await runningSys(stage, {
      plain: steady({ user: 'nobody' }),
      network: steady({ isolation: { network: true } }),
      mount: steady({ isolation: { mount: true } }),
      pid: steady({ isolation: { pid: true } }),
      user: steady({ isolation: { user: true } }),
    });
    // The data directory is hidden from all of them: each has mounts of its own.
    expect(own(pids.plain)).toEqual(['mnt']);
    expect(own(pids.network)).toEqual(['net', 'mnt']);
    expect(own(pids.mount)).toEqual(['mnt']);
    expect(own(pids.pid)).toEqual(['mnt', 'pid']);
    expect(own(pids.user)).toEqual(['mnt', 'user']);
  });

  asRoot('have a loopback that is up, mounts of their own, and a first process', async (stage) => {
    await runningSys(stage, {
      net: shell(
        'cat /sys/class/net/lo/flags; ping -c1 -W2 127.0.0.1 >/dev/null && echo pong; exec sleep 1000',
        {
          isolation: { network: true },
        },
      ),
      mnt: shell('mount -t tmpfs none /mnt && touch /mnt/here && ls /mnt; exec sleep 1000', {
        isolation: { mount: true },
      }),
      pid: shell('echo $$$$; exec sleep 1000', { isolation: { pid: true } }),
    });
    expect(await lines(stage, 'mnt', 1)).toEqual(['here']);
    expect(existsSync('/mnt/here')).toBe(false);
    expect(await lines(stage, 'pid', 1)).toEqual(['1']);
    const [flags] = await lines(stage, 'net', 1);
    expect(flags).toBeDefined();
  });

  asRoot('of processes begin with the service, which has threads and ends as any other', async (stage) => {
    const threads =
      'new (require("worker_threads").Worker)("console.log(process.pid)", { eval: true }); process.on("SIGTERM", () => process.exit())';
    const isolation = { pid: true };
    const long = { stop_timeout: '1m', isolation };
    const services = {
      threads: { exec: [process.execPath, '-e', `${threads}; setInterval(() => 0, 1000)`], ...long },
      inside: shell('sleep 1000 & exec sleep 1000', { ...long, isolation: { pid: true, user: true } }),
    };
    const pids = await runningSys(stage, services);
    expect(await lines(stage, 'threads', 1)).toEqual(['1']);
    expect(own(pids.inside)).toEqual(['mnt', 'pid', 'user']);
    await killSupervisor(stage);
    expectDone(await startSys(stage, services));
    expect(await pidsOf(stage, services)).toEqual(pids);
    expectDone(await stage.sup('stop', '--sys'));
    expect([...stage.members('threads'), ...stage.members('inside')]).toEqual([]);
  });

  asRoot('of processes keep the exit status of the service, and of a command of sup exec', async (stage) => {
    const isolation = { pid: true };
    const once = { restart_policy: 'never', isolation };
    await startSys(stage, { seven: shell('sleep 0.5; exit 7', once), web: steady({ isolation }) });
    await come(stage, { seven: 'failed' });
    const { stdout } = await stage.sup('inspect', '--sys', '--json', '--service', 'seven');
    expect(JSON.parse(stdout)).toMatchObject({ services: [{ last_exit: { code: 7 } }] });
    const outcome = await stage.sup('exec', '--sys', 'web', '--', 'sh', '-c', 'echo $$; exit 9');
    expect(outcome).toMatchObject({ status: 9, stdout: '1\n' });
  });

  asRoot(
    'of users map root to nobody else, and a user to itself; the others belong to them',
    async (stage) => {
      const pids = await runningSys(stage, {
        root: shell(
          'cat /proc/self/uid_map; id -u; cat /etc/shadow >/dev/null 2>&1 || echo closed; echo out >/dev/stdout; exec sleep 1000',
          { isolation: { user: true, network: true }, working_dir: '/' },
        ),
        web: shell('cat /proc/self/uid_map; exec sleep 1000', {
          user: 'www-data',
          limits: { nofile: 64, nproc: 64 },
          isolation: { user: true, mount: true },
        }),
      });
      expect(own(pids.root)).toEqual(['net', 'mnt', 'user']);
      expect(own(pids.web)).toEqual(['mnt', 'user']);
      const [map = '', ...felt] = await lines(stage, 'root', 4);
      const outside = Number(map.trim().split(/\s+/)[1]);
      expect(map.trim().split(/\s+/)).toEqual(['0', String(outside), '65536']);
      expect(outside).toBeGreaterThanOrEqual(0x1000_0000);
      expect([idOf(pids.root, 'Uid'), idOf(pids.root, 'Gid')]).toEqual([outside, outside]);
      expect(statusLine(pids.root, 'Groups')).toEqual([]);
      expect(felt).toEqual(['0', 'closed', 'out']);
      const [web = ''] = await lines(stage, 'web', 1);
      expect(web.trim().split(/\s+/)).toEqual(['33', '33', '1']);
      expect(idOf(pids.web, 'Uid')).toBe(33);
      expect(capabilitiesOf(pids.web)).toEqual([0n, 0n, 0n, 0n, 0n]);
    },
  );
});

describe('a namespace that the kernel refuses', () => {
  const services = {
    net: steady({ isolation: { network: true, mount: true }, restart_policy: 'never' }),
    user: steady({ isolation: { user: true }, restart_policy: 'never' }),
  };

  contained('refuses the service under version 3, by the key', async (stage) => {
    const outcome = await startSys(stage, services);
    expect(outcome.stderr).toContain('ERR0725 net: not started: isolation.network: unshare: ENOSPC');
    expect(outcome.stderr).toMatch(
      /ERR0725 user: not started: isolation\.user: .* is not mapped into this user namespace/,
    );
    expect(stage.members()).toEqual([]);
  });

  contained('is passed over under version 2, and that is seen', async (stage) => {
    const outcome = await startSys(stage, services, '2');
    expect(outcome).toMatchObject({ status: 0, stderr: expect.stringContaining('ERR0721') as string });
    const pids = await pidsOf(stage, services);
    expect(own(pids.net)).toContain('mnt');
    expect(own(pids.net)).not.toContain('net');
    const { net, user } = await agree(stage, { net: 'running', user: 'running' });
    expect(net.reason).toBe('runs without isolation.network');
    expect(user.reason).toBe('runs without isolation.user');
    expect((await stage.inspect('net')).services[0]?.skipped_isolation).toEqual([
      'isolation.network: unshare: ENOSPC',
    ]);
    expect(supervisorLog(stage).join('\n')).toContain('warn [net] runs without isolation.network');
  });
});

describe('Landlock', () => {
  asRoot('grants what is named and nothing else: reading, writing, executing', async (stage) => {
    stage.write('open/readme', 'hello\n');
    stage.write('closed/secret', 'secret\n');
    stage.write('tool', '#!/bin/sh\necho ran\n');
    const at = (path: string): string => join(stage.work, path);
    await runningSys(stage, {
      box: shell(
        [
          `cat ${at('open/readme')}`,
          `cat ${at('closed/secret')} 2>/dev/null || echo no-read`,
          `(echo x > ${at('open/new')}) 2>/dev/null || echo no-write`,
          `echo x > ${at('w')}/new && cat ${at('w')}/new`,
          `cp /bin/true ${at('w')}/true; chmod +x ${at('w')}/true; ${at('w')}/true 2>/dev/null || echo no-exec`,
          'echo out > /dev/stdout',
          'exec sleep 1000',
        ].join('\n'),
        {
          isolation: {
            landlock: {
              ro_paths: [...SYSTEM, at('open')],
              rw_paths: [at('w'), '/dev/null'],
              exec_paths: SYSTEM,
            },
          },
          deployment: { pre_start: `mkdir -p ${at('w')}` },
          run_as: 'supervisor',
          working_dir: '/usr',
        },
      ),
    });
    expect(await lines(stage, 'box', 6)).toEqual(['hello', 'no-read', 'no-write', 'x', 'no-exec', 'out']);
    const { pid } = (await agree(stage, { box: 'running' })).box;
    expect(statusLine(pid ?? 0, 'NoNewPrivs')).toEqual(['1']);
  });

  asRoot('refuses the service when a path is not there, and names the key', async (stage) => {
    const outcome = await startSys(
      stage,
      {
        box: steady({
          isolation: { landlock: { ro_paths: ['/'], rw_paths: ['/no/such'] } },
          restart_policy: 'never',
        }),
      },
      '2',
    );
    expect(outcome.stderr).toContain('ERR0723');
    expect(outcome.stderr).toContain('not started: isolation.landlock.rw_paths: /no/such: ENOENT');
    expect(stage.members('box')).toEqual([]);
  });
});

describe('seccomp', () => {
  const tries = (...commands: readonly string[]): string =>
    [...commands.map((command) => `${command} 2>/dev/null && echo yes || echo no`), 'exec sleep 1000'].join(
      '\n',
    );

  asRoot('denies what a service never needs, and what else is named', async (stage) => {
    const pids = await runningSys(stage, {
      base: shell(tries('unshare --net true', 'mount -t tmpfs none /mnt', 'mkdir made'), {
        isolation: { seccomp: 'baseline' },
      }),
      more: shell(tries('unshare --net true', 'mkdir made2'), {
        isolation: { seccomp: { allow: ['unshare'], deny: ['mkdir', 'mkdirat'] } },
      }),
      none: shell(tries('unshare --net true'), {
        isolation: { seccomp: { profile: 'none', deny: ['reboot'] } },
      }),
      log: shell(tries('unshare --net true'), { isolation: { seccomp: { action: 'log' } } }),
    });
    expect(await lines(stage, 'base', 3)).toEqual(['no', 'no', 'yes']);
    expect(await lines(stage, 'more', 2)).toEqual(['yes', 'no']);
    expect(await lines(stage, 'none', 1)).toEqual(['yes']);
    expect(await lines(stage, 'log', 1)).toEqual(['yes']);
    for (const pid of Object.values(pids)) {
      expect(statusLine(pid, 'Seccomp')).toEqual(['2']);
      expect(statusLine(pid, 'NoNewPrivs')).toEqual(['1']);
    }
  });

  asRoot('kills where it is asked to', async (stage) => {
    // A start waits for this time or for the end of the service, however slow the machine is.
    stage.settings('<timeouts><startup_stability_ms>60000</startup_stability_ms></timeouts>');
    const outcome = await startSys(stage, {
      web: shell('exec unshare --net true', {
        isolation: { seccomp: { action: 'kill' } },
        restart_policy: 'never',
      }),
    });
    expect(outcome.stderr).toContain('killed by SIGSYS');
  });

  asRoot('lets real programs live, with threads and children: Python, Node', async (stage) => {
    const threads = 'import threading, subprocess; t = threading.Thread(target=print); t.start(); t.join()';
    const worker = 'new (require("worker_threads").Worker)("process.exit(0)", { eval: true })';
    const once = { isolation: { seccomp: { action: 'kill' } }, restart_policy: 'never' };
    const done = await startSys(stage, {
      node: {
        exec: [process.execPath, '-e', `${worker}; require("child_process").execFileSync("true")`],
        ...once,
      },
      python: { exec: ['python3', '-c', `${threads}; subprocess.run(["true"], check=True)`], ...once },
    });
    expectDone(done);
    await come(stage, { node: 'done', python: 'done' });
  });
});
