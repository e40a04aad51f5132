// Needs the native addon.
// Privileged: a confined service attacks from inside, and what the kernel answers it.
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { serviceLog } from '../support/logs.ts';
import { freePort } from '../support/free-port.ts';
import { asRoot, runningSys } from '../support/privileged.ts';
import { fixture, steady, type Declared } from '../support/recipes.ts';
import type { Stage } from '../support/stage.ts';

const attacker = (attempts: readonly string[], more: Declared): Declared => ({
  stop_timeout: '1s',
  exec: ['python3', fixture('attack.py'), ...attempts],
  ...more,
});

/** What became of each attempt, in their order. */
const outcomes = (stage: Stage, service: string, count: number): Promise<readonly string[]> =>
  eventually({
    what: `${count} attempts of ${service}`,
    look: () => {
      const texts = serviceLog(stage, service).map((line) => line.split(' ').slice(2).join(' '));
      return texts.length >= count ? texts : undefined;
    },
  });

describe('a service under the seccomp baseline', () => {
  const ATTEMPTS = [
    'tiocsti',
    'tiocsti-high',
    'family:17',
    'family:38',
    'family:40',
    'personality:0x0040000',
    'modify_ldt',
    'name_to_handle_at:/etc/passwd',
  ];

  asRoot('cannot type into a terminal, open unusual sockets or switch protections off', async (stage) => {
    await runningSys(stage, {
      box: attacker(ATTEMPTS, { isolation: { seccomp: 'baseline' } }),
      free: attacker(['tiocsti', 'tiocsti-high', 'family:17', 'personality:0x0040000', 'modify_ldt'], {}),
      ordinary: attacker(['family:1', 'family:2', 'family:10', 'family:16', 'personality:0xffffffff'], {
        isolation: { seccomp: { action: 'kill' } },
      }),
    });
    expect(await outcomes(stage, 'box', ATTEMPTS.length)).toEqual([
      'tiocsti EPERM',
      'tiocsti-high EPERM',
      'family EAFNOSUPPORT',
      'family EAFNOSUPPORT',
      'family EAFNOSUPPORT',
      'personality EPERM',
      'modify_ldt EPERM',
      'name_to_handle_at ENOSYS',
    ]);
    const free = await outcomes(stage, 'free', 5);
    expect(free.filter((line) => !line.endsWith(' done'))).toEqual([]);
    const ordinary = await outcomes(stage, 'ordinary', 5);
    expect(ordinary.filter((line) => !line.endsWith(' done'))).toEqual([]);
  });
});

describe('a service under Landlock', () => {
  const landlock = { ro_paths: ['/'], rw_paths: ['/dev/null'] };

  asRoot('cannot signal or reach by an abstract socket what is outside of it', async (stage) => {
    const name = `sup-attacks-${process.pid}`;
    const attempts = [`signal:${process.pid}`, `abstract:${name}`, 'own-child'];
    const health = { command: `grep -q '@${name}$' /proc/net/unix`, interval: '1s' };
    await runningSys(stage, {
      open: attacker([`listen:${name}`], { deployment: { health_check: health } }),
      box: attacker(attempts, { isolation: { landlock }, depends_on: ['open'] }),
      free: attacker(attempts, { depends_on: ['open'] }),
    });
    expect(await outcomes(stage, 'free', 3)).toEqual(['signal done', 'abstract done', 'own-child done']);
    expect(await outcomes(stage, 'box', 3)).toEqual(['signal EPERM', 'abstract EPERM', 'own-child done']);
    expect(await stage.sup('stop', 'box')).toMatchObject({ status: 0 });
    expect(stage.members('box')).toEqual([]);
  });

  asRoot('binds and connects to the ports that are named, with and without files', async (stage) => {
    const [open, shut] = [await freePort(), await freePort()];
    const listener = createServer();
    await new Promise<void>((listening) => listener.listen(0, '127.0.0.1', listening));
    const { port: reached } = listener.address() as AddressInfo;
    const attempts = [`bind:${open}`, `bind:${shut}`, `connect:${reached}`, `connect:${shut}`];
    const both = { bind: [open], connect: [reached] };
    try {
      await runningSys(stage, {
        alone: attacker([...attempts, 'read:/etc/passwd'], { isolation: { ports: both } }),
        files: attacker(attempts, { isolation: { ports: both, landlock } }),
        none: attacker(attempts, { isolation: { ports: { bind: [] } } }),
      });
      const allowed = ['bind done', 'bind EACCES', 'connect done', 'connect EACCES'];
      expect(await outcomes(stage, 'alone', 5)).toEqual([...allowed, 'read done']);
      expect(await outcomes(stage, 'files', 4)).toEqual(allowed);
      expect(await outcomes(stage, 'none', 4)).toEqual([
        'bind EACCES',
        'bind EACCES',
        'connect done',
        'connect ECONNREFUSED',
      ]);
    } finally {
      listener.close();
    }
  });
});

describe('the launcher of a service in a user namespace', () => {
  asRoot('cannot be opened by a process of the user that the service runs as', async (stage) => {
    const hunted = { user: 'www-data', isolation: { user: true } };
    await runningSys(stage, {
      hunter: attacker(['hunt:launcher'], { user: 'www-data' }),
      first: steady({ ...hunted, depends_on: ['hunter'] }),
      second: steady({ ...hunted, depends_on: ['first'] }),
      third: steady({ ...hunted, depends_on: ['second'] }),
    });
    expect(await stage.sup('stop', 'hunter')).toMatchObject({ status: 0 });
    expect(serviceLog(stage, 'hunter').filter((line) => line.includes('opened'))).toEqual([]);
  });
});
