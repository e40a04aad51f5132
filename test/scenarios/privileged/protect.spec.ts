// Needs the native addon.
// Privileged: the parts of `isolation.protect`, as the kernel tells them and as an attack from inside finds them.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { serviceLog } from '../support/logs.ts';
import { asRoot, runningSys, statusLine } from '../support/privileged.ts';
import { type Declared, shell } from '../support/recipes.ts';
import type { Stage } from '../support/stage.ts';

const DONE = 'done';

/** Runs the lines with `sh`, and then waits. Each prints at most one line. */
const attack = (lines: readonly string[], more: Declared): Declared =>
  shell([...lines.map((line) => `{ ${line}; } 2>/dev/null`), `echo ${DONE}`, 'exec sleep 1000'].join('\n'), {
    working_dir: '/',
    ...more,
  });

const said = (stage: Stage, service: string): Promise<readonly string[]> =>
  eventually({
    what: `the end of the attack of ${service}`,
    look: () => {
      const texts = serviceLog(stage, service).map((line) => line.split(' ').slice(2).join(' '));
      return texts.at(-1) === DONE ? texts.slice(0, -1) : undefined;
    },
  });

/** `yes` if the command succeeds. */
const can = (command: string): string => `${command} && echo yes || echo no`;

/** The options of the topmost mount at this path, in the mount namespace of the process. */
const mountOptions = (pid: number, path: string): readonly string[] =>
  readFileSync(`/proc/${pid}/mountinfo`, 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .findLast((fields) => fields[4] === path)?.[5]
    ?.split(',') ?? [];

const typeOfMount = (pid: number, path: string): string | undefined => {
  const line = readFileSync(`/proc/${pid}/mountinfo`, 'utf8')
    .split('\n')
    .findLast((text) => text.split(' ')[4] === path);
  return line?.split(' - ')[1]?.split(' ')[0];
};

const protectedBy = (protect: Declared | string, more: Declared = {}): Declared => ({
  isolation: { protect, ...more },
});

describe('the parts of isolation.protect, each alone', () => {
  asRoot('leave only rw_paths writable, or all but the operating system', async (stage) => {
    const landlock = { ro_paths: ['/'], rw_paths: [stage.work, '/dev/null'] };
    const tries = [
      can('touch /usr/x'),
      can('touch /etc/x'),
      can('touch /var/x'),
      can(`touch ${stage.work}/x`),
    ];
    const undo = [can('mount -o remount,rw /'), can('mount -o bind,remount,rw /etc')];
    const pids = await runningSys(stage, {
      all: attack([...tries, ...undo], protectedBy({ system: 'read_only' }, { landlock })),
      bare: attack([...tries, ...undo], protectedBy({ system: 'read_only' })),
      os: attack(
        [can('touch /usr/x'), can('touch /etc/x'), can('touch /var/x; rm /var/x'), ...undo],
        protectedBy({ system: 'os_read_only' }),
      ),
    });
    expect(await said(stage, 'all')).toEqual(['no', 'no', 'no', 'yes', 'no', 'no']);
    expect(await said(stage, 'bare')).toEqual(['no', 'no', 'no', 'no', 'no', 'no']);
    expect(await said(stage, 'os')).toEqual(['no', 'no', 'yes', 'no', 'no']);
    expect(mountOptions(pids.bare, '/')[0]).toBe('ro');
    expect(mountOptions(pids.os, '/etc')[0]).toBe('ro');
    expect(mountOptions(pids.os, '/')[0]).toBe('rw');
    expect(['/usr/x', '/etc/x', '/var/x'].filter((path) => existsSync(path))).toEqual([]);
  });

  asRoot('hide the homes or make them read-only', async (stage) => {
    const secret = `/root/.sup-secret-${process.pid}`;
    writeFileSync(secret, 'secret\n');
    const tries = [`cat ${secret} || echo hidden`, can('touch /root/x'), can('umount /root')];
    const around = [can(`nsenter -t 1 -m cat ${secret}`), can(`cat /proc/1/root${secret}`)];
    try {
      const pids = await runningSys(stage, {
        hidden: attack([...tries, ...around], protectedBy({ home: 'hidden' })),
        closed: attack(tries, protectedBy({ home: 'read_only' })),
      });
      expect(await said(stage, 'hidden')).toEqual(['hidden', 'no', 'no', 'no', 'no']);
      expect(await said(stage, 'closed')).toEqual(['secret', 'no', 'no']);
      expect([typeOfMount(pids.hidden, '/root'), mountOptions(pids.hidden, '/root')[0]]).toEqual([
        'tmpfs',
        'ro',
      ]);
      expect(mountOptions(pids.closed, '/root')[0]).toBe('ro');
    } finally {
      rmSync(secret);
    }
  });

  asRoot('give it temporary directories and devices of its own', async (stage) => {
    const seen = `/tmp/sup-seen-${process.pid}`;
    writeFileSync(seen, '');
    try {
      const pids = await runningSys(stage, {
        tmp: attack(
          [can(`test -e ${seen}`), can('touch /tmp/own /var/tmp/own'), can('umount /tmp')],
          protectedBy({ tmp: 'private' }),
        ),
        devices: attack(
          [
            'echo $$(ls /dev | wc -l)',
            can('echo x > /dev/null'),
            can('head -c 4 /dev/urandom | wc -c | grep -q 4'),
            can('touch /dev/shm/x'),
            can('test -e /dev/mem -o -e /dev/kmsg -o -e /dev/vda'),
            can(`mknod ${stage.work}/disk b 254 0`),
          ],
          protectedBy({ devices: 'minimal' }),
        ),
      });
      expect(await said(stage, 'tmp')).toEqual(['no', 'yes', 'no']);
      const [count, ...rest] = await said(stage, 'devices');
      expect(Number(count)).toBeLessThan(17);
      expect(rest).toEqual(['yes', 'yes', 'yes', 'no', 'no']);
      expect(['/tmp/own', '/var/tmp/own', '/dev/shm/x'].filter((path) => existsSync(path))).toEqual([]);
      expect([typeOfMount(pids.tmp, '/tmp'), typeOfMount(pids.devices, '/dev')]).toEqual(['tmpfs', 'tmpfs']);
    } finally {
      rmSync(seen);
    }
  });

  asRoot('show it only its own processes, and settings of the kernel it cannot change', async (stage) => {
    const name = readFileSync('/proc/sys/kernel/hostname', 'utf8');
    const pids = await runningSys(stage, {
      proc: attack(
        [
          can('test -e /proc/1'),
          can('test -e /proc/self/status'),
          can('test -r /proc/meminfo'),
          can('sleep 9 & test -e /proc/$$!'),
        ],
        protectedBy({ proc: 'own' }),
      ),
      kernel: attack(
        [
          can('echo taken > /proc/sys/kernel/hostname'),
          can('umount /proc/sys'),
          can('mount -o remount,rw /sys'),
          can('cat /proc/kallsyms | grep -q .'),
          can('test -r /proc/sys/kernel/hostname'),
        ],
        protectedBy({ kernel: 'read_only' }),
      ),
    });
    expect(await said(stage, 'proc')).toEqual(['no', 'yes', 'yes', 'yes']);
    expect(await said(stage, 'kernel')).toEqual(['no', 'no', 'no', 'no', 'yes']);
    expect(readFileSync('/proc/sys/kernel/hostname', 'utf8')).toBe(name);
    expect(mountOptions(pids.kernel, '/proc/sys')[0]).toBe('ro');
    expect(mountOptions(pids.kernel, '/sys')[0]).toBe('ro');
    for (const pid of Object.values(pids))
      expect([statusLine(pid, 'NoNewPrivs'), statusLine(pid, 'Seccomp')]).toEqual([['1'], ['2']]);
  });
});

describe('the presets of isolation.protect', () => {
  const tries = [
    can('touch /etc/x'),
    can('touch /var/x'),
    can('ls /root | grep -q .'),
    can('touch /tmp/x'),
    can('test -e /dev/mem -o -e /dev/kmsg'),
    can('test -e /proc/1'),
    can('echo x > /proc/sys/kernel/hostname'),
  ];

  asRoot('are all parts, most of them, and none', async (stage) => {
    await runningSys(stage, {
      strict: attack(tries, protectedBy('strict')),
      full: attack(tries, protectedBy('full')),
      off: attack(tries.slice(5, 6), protectedBy('off')),
    });
    expect(await said(stage, 'strict')).toEqual(['no', 'no', 'no', 'yes', 'no', 'no', 'no']);
    const full = await said(stage, 'full');
    expect([full[0], full[1], full[3], full[4], full[5], full[6]]).toEqual([
      'no',
      'yes',
      'yes',
      'no',
      'yes',
      'no',
    ]);
    expect(await said(stage, 'off')).toEqual(['yes']);
    rmSync('/var/x', { force: true });
  });

  asRoot('keep the working directory and the program in a covered directory', async (stage) => {
    const { web } = await runningSys(stage, {
      web: attack(['pwd', can('touch here')], { working_dir: stage.work, ...protectedBy('strict') }),
    });
    expect(await said(stage, 'web')).toEqual([stage.work, 'no']);
    expect(web).toBeGreaterThan(0);
  });

  asRoot('work for another user, and inside a user namespace', async (stage) => {
    await runningSys(stage, {
      nobody: attack(['id -un', ...tries], { user: 'nobody', ...protectedBy('strict') }),
      inside: attack(tries, protectedBy('strict', { user: true })),
    });
    expect(await said(stage, 'nobody')).toEqual(['nobody', 'no', 'no', 'no', 'yes', 'no', 'no', 'no']);
    expect(await said(stage, 'inside')).toEqual(['no', 'no', 'no', 'yes', 'no', 'no', 'no']);
  });
});
