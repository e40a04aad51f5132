// The example container without an engine: a root of its own with what the Dockerfile copies there, and a process 1.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { imagesIn, type Image } from '../../support/dockerfile.ts';
import { launch, type Running } from './command.ts';
import { eventually } from './eventually.ts';
import type { Stage } from './stage.ts';

const FILE = 'examples/container/Dockerfile';
const SYSTEM = ['usr', 'bin', 'lib', 'lib64', 'sbin', 'dev'];

export interface Container {
  readonly running: Running;
  /** Its process 1, as it is numbered outside. */
  readonly pid: number;
  /** Those whose parent is process 1, zombies too: state and program. */
  readonly children: () => readonly string[];
  /** Runs a program inside; its status and what it printed. */
  readonly enter: (...argv: readonly string[]) => { status: number | null; stdout: string; stderr: string };
  readonly image: Image;
}

const bind = (from: string, root: string, to: string): string => {
  const target = join(root, to);
  return `mkdir -p '${dirname(target)}'; if [ -d '${from}' ]; then mkdir -p '${target}'; else : > '${target}'; fi; mount --rbind '${from}' '${target}'`;
};

/** Where a file of the build stage lies here: it is the repository with what was built in it. */
const placeOf = (source: string): string => resolve(source.replace(/^\/opt\/sup\//, ''));

const scriptOf = ({ copies }: Image, root: string): string =>
  [
    'set -e',
    'mount --make-rprivate /',
    ...SYSTEM.map((name) => bind(`/${name}`, root, name)),
    ...copies.flatMap(({ sources, target }) => sources.map((source) => bind(placeOf(source), root, target))),
    `mkdir -p '${root}/proc' '${root}/tmp' '${root}/var/lib/app'`,
    `mkdir -m 0700 -p '${root}/var/lib/sup'`,
    `mount -t proc proc '${root}/proc'`,
    `exec chroot '${root}' "$@"`,
  ].join('\n');

const childrenOf = (pid: number): readonly number[] => {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number);
  } catch {
    return [];
  }
};

const described = (pid: number): string => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return `${stat.slice(stat.lastIndexOf(')') + 2)[0] ?? ''} ${stat.slice(stat.indexOf('('), stat.lastIndexOf(')') + 1)}`;
  } catch {
    return 'gone';
  }
};

export const startContainer = async (
  stage: Stage,
  environment: Record<string, string>,
): Promise<Container> => {
  if (process.getuid?.() !== 0) throw new Error('a container needs root');
  const image = imagesIn(readFileSync(FILE, 'utf8')).at(-1);
  if (image === undefined) throw new Error(`${FILE} has no image`);
  const root = join(stage.root, 'c');
  mkdirSync(root);
  const script = join(stage.root, 'container.sh');
  writeFileSync(script, scriptOf(image, root));
  const inside = {
    PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: '/tmp',
    ...image.environment,
    ...environment,
  };
  const running = launch({
    argv: ['unshare', '--mount', '--pid', '--fork', '--kill-child', 'sh', script, ...image.entrypoint],
    directory: stage.root,
    environment: inside,
    limit: 90_000,
    line: image.entrypoint.join(' '),
  });
  const outer = running.child.pid ?? 0;
  const pid = await eventually({
    what: 'process 1',
    look: () => childrenOf(outer)[0],
    instead: () => [running.stderr(), childrenOf(outer).map(described)],
  });
  return {
    running,
    pid,
    image,
    children: () => childrenOf(pid).map(described),
    enter: (...argv) => {
      const at = ['-t', String(pid), '--mount', '--pid', '--root', '--wd', '--', ...argv];
      const { status, stdout, stderr } = spawnSync('nsenter', at, {
        env: inside,
        encoding: 'utf8',
        timeout: 20_000,
      });
      return { status, stdout, stderr };
    },
  };
};
