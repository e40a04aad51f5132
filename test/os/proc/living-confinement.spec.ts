// The kernel's word about a living process, in this kernel's form and in those of other kernels.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { confinementIn, livingConfinement } from '../../../src/os/proc/living-confinement.ts';
import { mountsIn, withLinkedPlaces } from '../../../src/os/proc/mount-table.ts';
import { statOf } from '../../../src/os/proc/process-stat.ts';
import type { ProcessRef } from '../../../src/streams/domain/service/process.ts';

const STATUS = `Name:\tx
Umask:\t0027
Uid:\t1000\t1001\t1002\t1003
Gid:\t100\t101\t102\t103
Groups:\t4 24 
CapInh:\t0000000000000001
CapPrm:\t0000000000000402
CapEff:\t0000000000000400
CapBnd:\t000001ffffffffff
CapAmb:\t0000010000000000
NoNewPrivs:\t1
Seccomp:\t2
Seccomp_filters:\t3
`;

/** The status without some lines, as a kernel writes it that does not have them. */
const without = (...names: readonly string[]): string =>
  STATUS.split('\n')
    .filter((line) => !names.includes(line.split(':')[0] ?? ''))
    .join('\n');

describe('the status of a process', () => {
  it('each line becomes a fact', () => {
    expect(confinementIn(STATUS)).toEqual({
      uids: [1000, 1001, 1002, 1003],
      gids: [100, 101, 102, 103],
      groups: [4, 24],
      capabilities: {
        inheritable: 1n,
        permitted: 0x402n,
        effective: 0x400n,
        bounding: 0x1ff_ffff_ffffn,
        ambient: 1n << 40n,
      },
      noNewPrivs: true,
      seccomp: { mode: 'filter', filters: 3 },
      umask: 0o27,
    });
  });

  it('a process without supplementary groups, flag and filter says so', () => {
    const status = without('Groups', 'NoNewPrivs', 'Seccomp', 'Seccomp_filters');
    const plain = `${status}Groups:\t \nNoNewPrivs:\t0\nSeccomp:\t0\nSeccomp_filters:\t0\n`;
    const { groups, noNewPrivs, seccomp } = confinementIn(plain);
    expect({ groups, noNewPrivs, seccomp }).toEqual({
      groups: [],
      noNewPrivs: false,
      seccomp: { mode: 'off', filters: 0 },
    });
  });

  it('what an older kernel does not write is absent, and the rest is there', () => {
    expect(confinementIn(without('Seccomp_filters')).seccomp).toEqual({ mode: 'filter' });
    expect(confinementIn(without('Seccomp', 'Seccomp_filters'))).not.toHaveProperty('seccomp');
    expect(confinementIn(without('NoNewPrivs'))).not.toHaveProperty('noNewPrivs');
    expect(confinementIn(without('CapAmb'))).not.toHaveProperty('capabilities');
    expect(confinementIn(without('Umask'))).toMatchObject({ noNewPrivs: true, groups: [4, 24] });
    expect(confinementIn(without('Umask'))).not.toHaveProperty('umask');
  });

  it('an empty or damaged status gives no fact', () => {
    expect(confinementIn('')).toEqual({});
    expect(confinementIn('Umask:\t\nCapInh:\tzz\nSeccomp:\t9\n')).toEqual({});
  });
});

describe('the mounts of a process', () => {
  it('path, file system and both kinds of options are read, also of names with spaces', () => {
    const table = String.raw`36 35 98:0 / /a\040b\134 rw,noatime shared:1 master:2 - ext4 /dev/x\040y ro,errors=continue
37 36 0:21 / /proc rw,nosuid - proc proc rw,hidepid=ptraceable
38 36 0:22 / /usr ro,relatime - ext4 /dev/z rw
39 36 0:23 / /tmp rw - tmpfs  rw
`;
    expect(mountsIn(table)).toEqual([
      {
        ...{ path: String.raw`/a b${'\\'}`, type: 'ext4', source: '/dev/x y', isReadOnly: true },
        options: 'rw,noatime,ro,errors=continue',
      },
      {
        ...{ path: '/proc', type: 'proc', source: 'proc', isReadOnly: false },
        options: 'rw,nosuid,rw,hidepid=ptraceable',
      },
      {
        ...{ path: '/usr', type: 'ext4', source: '/dev/z', isReadOnly: true },
        options: 'ro,relatime,rw',
      },
      { ...{ path: '/tmp', type: 'tmpfs', source: '', isReadOnly: false }, options: 'rw,rw' },
    ]);
  });

  it('a mount at the target of a link is found at the link as well', () => {
    const mounts = mountsIn(
      '36 35 0:1 / /data/home ro - tmpfs sup-hidden rw\n37 35 0:2 / /data rw - ext4 x rw',
    );
    const found = withLinkedPlaces(mounts, { '/home': '/data/home', '/tmp': '/data/tmp' });
    expect(found.map(({ path, source }) => [path, source])).toEqual([
      ['/data/home', 'sup-hidden'],
      ['/home', 'sup-hidden'],
      ['/data', 'x'],
    ]);
    expect(withLinkedPlaces(mounts, {})).toEqual(mounts);
  });

  it('an incomplete line is no mount', () => {
    expect(mountsIn('')).toEqual([]);
    expect(mountsIn('36 35 98:0 / /a rw')).toEqual([]);
    expect(mountsIn('36 35 98:0 / /a rw shared:1 ext4 x rw')).toEqual([]);
  });
});

const children: ChildProcess[] = [];

const refOf = (pid = 0): ProcessRef => ({ pid, startTicks: statOf(pid)?.startTicks ?? 0 });

/** Starts `cat`, which waits for its standard input. */
const waiting = (): ProcessRef => {
  const child = spawn('cat');
  children.push(child);
  return refOf(child.pid);
};

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

describe('a living process', () => {
  it('a child shares all namespaces with this process, and has its ids', () => {
    const found = livingConfinement(waiting());
    expect(found?.uids).toEqual(Array(4).fill(process.getuid?.()));
    expect(found?.namespaces).toEqual({
      ...{ network: false, mount: false, pid: false, user: false, ipc: false, uts: false },
    });
    expect(found?.mounts?.map(({ path }) => path)).toContain('/proc');
    expect(found?.capabilities?.bounding).toBeTypeOf('bigint');
  });

  it('a process that has ended, or whose pid was reused, gives no facts', async () => {
    const process_ = waiting();
    expect(livingConfinement({ ...process_, startTicks: process_.startTicks + 1 })).toBeUndefined();
    const [child] = children;
    child?.stdin?.end();
    if (child !== undefined) await once(child, 'exit');
    expect(livingConfinement(process_)).toBeUndefined();
  });

  it('a process that does not exist gives no facts', () => {
    expect(livingConfinement({ pid: 2 ** 30, startTicks: 1 })).toBeUndefined();
  });

  it.runIf(process.getuid?.() === 0)('of another user’s process only what all may see is known', () => {
    const process_ = waiting();
    process.seteuid?.(65_534);
    try {
      const found = livingConfinement(process_);
      expect(found).toMatchObject({ uids: [0, 0, 0, 0], noNewPrivs: expect.any(Boolean) as boolean });
      expect(found?.mounts?.length).toBeGreaterThan(0);
      expect(found).not.toHaveProperty('namespaces');
    } finally {
      process.seteuid?.(0);
    }
  });

  it('namespaces are unknown if the process to compare with cannot be read', () => {
    const found = livingConfinement(waiting(), 2 ** 30);
    expect(found).not.toHaveProperty('namespaces');
    expect(found).toHaveProperty('uids');
  });

  it('the facts of this process are those of its status', () => {
    const status = readFileSync('/proc/self/status', 'latin1');
    const own = livingConfinement(refOf(process.pid)) ?? {};
    const { capabilities, umask = 0 } = own;
    expect(status).toContain(`\nUmask:\t${umask.toString(8).padStart(4, '0')}\n`);
    expect(status).toContain(`\nCapEff:\t${capabilities?.effective.toString(16).padStart(16, '0')}\n`);
  });
});
