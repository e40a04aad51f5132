// A small machine without Node and without a compiler: a root directory of Debian in its own mount, process and IPC
// namespaces. Nothing in it can see or end a process outside, and its changes to the root are thrown away.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
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

/** Returns the root directory of a release of Debian. It is made once and kept below `cache`. */
export const debianRoot = (release: string, cache: string): string => {
  const root = join(cache, release);
  if (existsSync(root)) return root;
  mkdirSync(cache, { recursive: true });
  const site = mirror();
  rmSync(`${root}.new`, { recursive: true, force: true });
  run('debootstrap', ['--variant=minbase', release, `${root}.new`, ...(site === undefined ? [] : [site])], {
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
mount --rbind /sys sys
mount --rbind /dev dev
mkdir -p packages
mount --bind "$3" packages
mount -o remount,bind,ro packages
touch "$2/ready"
exec chroot . /bin/sh -c 'while :; do sleep 3600 & wait $!; done'`;

export interface Machine {
  /** Runs a shell script in the machine as root, whatever its exit status. */
  readonly attempt: (script: string, user?: string) => Result;
  /** Runs a shell script; returns its standard output, and throws if it fails. */
  readonly run: (script: string, user?: string) => string;
  /** Host path of its root directory. */
  readonly root: string;
  readonly end: () => Promise<void>;
}

const SANE = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8';

/** The process in the new pid namespace: the only child of `unshare`. */
const childOf = (pid: number): string =>
  run('cat', [`/proc/${pid}/task/${pid}/children`])
    .trim()
    .split(' ')[0] ?? '';

/** Starts a machine from a root directory. `packages` is at /packages in it. */
export const startMachine = async (lower: string, scratch: string, packages: string): Promise<Machine> => {
  for (const name of ['upper', 'work', 'root']) mkdirSync(join(scratch, name), { recursive: true });
  const words = ['--mount', '--pid', '--ipc', '--uts', '--fork', '--kill-child', '--propagation', 'private'];
  const outer = spawn('unshare', [...words, 'sh', '-c', FIRST, 'first', lower, scratch, packages], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => outer.once('close', () => resolve()));
  await until('the first process of the machine runs', () => existsSync(join(scratch, 'ready')));
  const root = join(scratch, 'root');
  const first = childOf(outer.pid ?? 0);
  const enter = (script: string, user: string): readonly string[] => [
    ...['--target', first, '--mount', '--pid', '--ipc', '--uts'],
    ...[`--root=/proc/${first}/root`, `--wd=/proc/${first}/root/`, 'env', '-i', ...SANE.split(' ')],
    ...(user === 'root' ? ['sh', '-c', script] : ['su', user, '-s', '/bin/sh', '-c', script]),
  ];
  return {
    root: `/proc/${first}/root`,
    attempt: (script, user = 'root') => attempt('nsenter', enter(script, user)),
    run: (script, user = 'root') => {
      const result = attempt('nsenter', enter(script, user));
      if (result.status === 0) return result.stdout;
      const said = `${result.stdout}\n${result.stderr}`.trim().slice(-2_000);
      throw new Error(`in the machine, as ${user}: ${script}: exit status ${result.status}\n${said}`);
    },
    end: async () => {
      outer.kill('SIGKILL');
      await ended;
      rmSync(join(scratch, 'ready'), { force: true });
      for (const name of readdirSync(scratch).filter((each) => each !== 'root'))
        rmSync(join(scratch, name), { recursive: true, force: true });
      rmSync(root, { recursive: true, force: true });
    },
  };
};
