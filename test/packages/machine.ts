// A small machine without Node and without a compiler: a root directory of Debian in its own mount, process and IPC
// namespaces. Nothing in it can see or end a process outside, and its changes to the root are thrown away.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { attempt, run, until, type Result } from './shell.ts';

/**
 * Returns the mirror from which this machine installs packages, as its apt is configured; `undefined` means
 * the default of debootstrap.
 */
const mirror = (): string | undefined => {
  const lines = run('apt-get', ['indextargets', '--format', '$(CREATED_BY) $(SITE) $(SUITE) $(ORIGIN)']);
  const sites = lines
    .split('\n')
    .filter((line) => line.startsWith('Packages ') && line.endsWith(' Debian'))
    .map((line) => line.split(' ')[1]);
  return sites.find((site) => site !== undefined && !site.includes('security'));
};

/** What a machine has that boots with systemd, and where users have sessions. */
const SYSTEMD = 'systemd-sysv,dbus,dbus-user-session,libpam-systemd';

/** Returns the root directory of a release of Debian. It is made once and kept below `cache`. */
export const debianRoot = (release: string, cache: string, kind: 'bare' | 'systemd'): string => {
  const root = join(cache, kind === 'bare' ? release : `${release}-${kind}`);
  if (existsSync(root)) return root;
  mkdirSync(cache, { recursive: true });
  const site = mirror();
  rmSync(`${root}.new`, { recursive: true, force: true });
  const words = ['--variant=minbase', ...(kind === 'bare' ? [] : [`--include=${SYSTEMD}`])];
  run('debootstrap', [...words, release, `${root}.new`, ...(site === undefined ? [] : [site])], {
    timeoutMs: 1_200_000,
  });
  renameSync(`${root}.new`, root);
  return root;
};

/** Its first process mounts what programs expect, and then waits for the end of orphans. */
const FIRST = `set -e
mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" "$2/root"
cd "$2/root"
mount -t proc proc proc
mkdir -p packages
mount --bind "$3" packages
mount -o remount,bind,ro packages
touch "$2/ready"
`;

const WAITS = `${FIRST}mount --rbind /sys sys
mount --rbind /dev dev
exec chroot . /bin/sh -c 'while :; do sleep 3600 & wait $!; done'`;

/** systemd gets what the interface of containers asks for (systemd.io/CONTAINER_INTERFACE). */
const BOOTS = `${FIRST}mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs dev
for name in null zero full random urandom tty; do : >dev/$name; mount --bind /dev/$name dev/$name; done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts dev/pts
mount -t tmpfs -o mode=1777 tmpfs dev/shm
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
for place in run tmp; do mount -t tmpfs -o mode=1777 tmpfs $place; done
chmod 755 run
exec env -i container=sup "PATH=$PATH" chroot . /lib/systemd/systemd </dev/null >/dev/null 2>&1`;

export interface Machine {
  /** Runs a shell script in the machine as root, whatever its exit status. */
  readonly attempt: (script: string, user?: string) => Result;
  /** Runs a shell script; returns its standard output, and throws if it fails. */
  readonly run: (script: string, user?: string) => string;
  /** Host path of its root directory. */
  readonly root: string;
  /** Ends all its processes, by a script in it or by SIGKILL. Another machine can go on with its changes. */
  readonly stop: (script?: string) => Promise<void>;
  /** Stops it, and removes its changes. */
  readonly end: () => Promise<void>;
}

const SANE = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8';

/** The process in the new pid namespace: the only child of `unshare`. */
const childOf = (pid: number): string =>
  run('cat', [`/proc/${pid}/task/${pid}/children`])
    .trim()
    .split(' ')[0] ?? '';

/** Waits until systemd has started its units. `degraded`: one of them, which needs real hardware, has failed. */
const expectBooted = (enter: (script: string) => Result): Promise<void> =>
  until('systemd has booted', () => /^(running|degraded)/.test(enter('systemctl is-system-running').stdout));

/** True once nothing that is called through this process can change the root of the host. */
const hasOwnRoot = (pid: string): boolean => statSync(`/proc/${pid}/root`).dev !== statSync('/').dev;

export interface Start {
  /** Its root directory, which is not changed. */
  readonly lower: string;
  /** Where its changes are. They stay if it is only stopped. */
  readonly scratch: string;
  /** At /packages in it. */
  readonly packages: string;
  /** Path of an empty cgroup: then systemd boots in it. */
  readonly cgroup?: string;
}

const NAMESPACES = ['--mount', '--pid', '--ipc', '--uts'];

const spawnFirst = ({ lower, scratch, packages, cgroup }: Start): ChildProcess => {
  const namespaces = [...NAMESPACES, ...(cgroup === undefined ? [] : ['--cgroup'])];
  const words = [...namespaces, '--fork', '--kill-child', '--propagation', 'private'];
  const first = ['sh', '-c', cgroup === undefined ? WAITS : BOOTS, 'first', lower, scratch, packages];
  // The namespace of cgroups begins where the process is that makes it.
  const into = cgroup === undefined ? 'exec "$@"' : `echo $$ >${cgroup}/cgroup.procs && exec "$@"`;
  const stdio = ['ignore', 'ignore', 'inherit'] as const;
  return spawn('sh', ['-c', into, 'sh', 'unshare', ...words, ...first], { stdio: [...stdio] });
};

/** Starts a machine from a root directory. */
export const startMachine = async (start: Start): Promise<Machine> => {
  const { scratch, cgroup } = start;
  for (const name of ['upper', 'work', 'root']) mkdirSync(join(scratch, name), { recursive: true });
  const outer = spawnFirst(start);
  const ended = new Promise<void>((resolve) => outer.once('close', () => resolve()));
  await until('the first process of the machine runs', () => existsSync(join(scratch, 'ready')));
  const root = join(scratch, 'root');
  const first = childOf(outer.pid ?? 0);
  await until('it has changed its root', () => hasOwnRoot(first));
  const namespaces = [...NAMESPACES, ...(cgroup === undefined ? [] : ['--cgroup'])];
  const enter = (script: string, user = 'root'): Result =>
    attempt('nsenter', [
      ...['--target', first, ...namespaces, `--root=/proc/${first}/root`, `--wd=/proc/${first}/root/`],
      ...['env', '-i', ...SANE.split(' ')],
      ...(user === 'root' ? ['sh', '-c', script] : ['su', user, '-s', '/bin/sh', '-c', script]),
    ]);
  const machine: Machine = {
    root: `/proc/${first}/root`,
    attempt: enter,
    run: (script, user = 'root') => {
      const result = enter(script, user);
      if (result.status === 0) return result.stdout;
      const said = `${result.stdout}\n${result.stderr}`.trim().slice(-2_000);
      throw new Error(`in the machine, as ${user}: ${script}: exit status ${result.status}\n${said}`);
    },
    stop: async (script) => {
      if (script === undefined) outer.kill('SIGKILL');
      else enter(script);
      await ended;
      rmSync(join(scratch, 'ready'), { force: true });
    },
    end: async () => {
      await machine.stop();
      for (const name of readdirSync(scratch).filter((each) => each !== 'root'))
        rmSync(join(scratch, name), { recursive: true, force: true });
      rmSync(root, { recursive: true, force: true });
    },
  };
  try {
    if (cgroup !== undefined) await expectBooted(enter);
    return machine;
  } catch (error) {
    await machine.stop();
    throw error;
  }
};
