// Scenarios of a root supervisor: they need root, and say so. What they compare with is the kernel's own word.
import { chmodSync, readFileSync, readlinkSync } from 'node:fs';
import { expectDone, serviceIn } from './witnesses.ts';
import { scenario } from './scenario.ts';
import type { Outcome } from './command.ts';
import type { Actor, Json, Stage } from './stage.ts';
import type { Declared } from './recipes.ts';

/** A play that begins with a place that other users may enter. */
export const asRoot = (title: string, play: (stage: Stage) => Promise<void>): void =>
  scenario(title, async (stage) => {
    if (process.getuid?.() !== 0) throw new Error('the privileged scenarios need root');
    chmodSync(stage.root, 0o755);
    await play(stage);
  });

export const NOBODY: Actor = {
  uid: 65534,
  gid: 65534,
  through: ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--inh-caps=-all'],
};

const NO_MORE_NAMESPACES =
  'echo 0 > /proc/sys/user/max_net_namespaces; echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"';

/**
 * A root that may make no namespace of networks or users: as in a container. Nothing of the machine is changed. Commands
 * to a supervisor that runs come from its own user namespace: from another one they would be refused (ERR0750).
 */
const CONTAINED: Actor = {
  uid: 0,
  gid: 0,
  through: [
    ...['sh', '-c'],
    [
      `pid=$(sed 's/.*"pid":\\([0-9]*\\).*/\\1/' "$SUP_DATA_DIR/supervisor.lock" 2>/dev/null)`,
      '[ -n "$pid" ] && [ -e "/proc/$pid/ns/user" ] && exec nsenter --user="/proc/$pid/ns/user" --preserve-credentials "$@"',
      `exec unshare --user --map-root-user sh -c '${NO_MORE_NAMESPACES}' sh "$@"`,
    ].join('\n'),
    'sh',
  ],
};

/** Makes a root whose `/home` and `/tmp` are links to directories below `/real`, and becomes its arguments in it. */
const LINKED_ROOT = `set -e
here=$PWD
mount -t tmpfs -o mode=755 tmpfs /mnt
for at in /*; do
  name=\${at#/}
  case "$name" in home|tmp|mnt) continue;; esac
  if [ -L "$at" ]; then cp -P "$at" /mnt/
  elif [ -d "$at" ]; then mkdir "/mnt/$name"; mount --rbind "$at" "/mnt/$name"
  fi
done
mkdir -p /mnt/mnt /mnt/real/home/anna /mnt/real/tmp
mount --rbind /tmp /mnt/real/tmp
echo secret >/mnt/real/home/anna/secret
ln -s real/home /mnt/home
ln -s /real/tmp /mnt/tmp
cd /mnt
pivot_root . mnt
umount -l /mnt
cd "$here"
exec "$@"`;

/** Root in a mount namespace where `/home` and `/tmp` are links; a supervisor's commands enter its namespace. */
const LINKED: Actor = {
  uid: 0,
  gid: 0,
  through: [
    ...['sh', '-c'],
    [
      `pid=$(sed 's/.*"pid":\\([0-9]*\\).*/\\1/' "$SUP_DATA_DIR/supervisor.lock" 2>/dev/null)`,
      'export HERE="$PWD"',
      `[ -n "$pid" ] && [ -e "/proc/$pid/ns/mnt" ] && exec nsenter --mount="/proc/$pid/ns/mnt" sh -c 'cd "$HERE"; exec "$@"' sh "$@"`,
      `exec unshare --mount --propagation private sh -c '${LINKED_ROOT}' sh "$@"`,
    ].join('\n'),
    'sh',
  ],
};

const playedBy =
  (actor: Actor) =>
  (title: string, play: (stage: Stage) => Promise<void>): void =>
    scenario(
      title,
      async (stage) => {
        if (process.getuid?.() !== 0) throw new Error('the privileged scenarios need root, to step aside');
        await play(stage);
      },
      actor,
    );

export const asNobody = playedBy(NOBODY);
export const contained = playedBy(CONTAINED);
export const linked = playedBy(LINKED);

/** Loose services of version 3, unless another is named. */
export const manifest = (
  services: Readonly<Record<string, Declared>>,
  version = '3',
): Readonly<Record<string, Json>> => ({ version, services });

export const startSys = async (
  stage: Stage,
  services: Readonly<Record<string, Declared>>,
  version = '3',
): Promise<Outcome> => {
  stage.declare(manifest(services, version));
  return stage.sup('start', '--sys', '--daemonize');
};

/** All of them came up; their pids. */
export const runningSys = async <S extends Readonly<Record<string, Declared>>>(
  stage: Stage,
  services: S,
  version = '3',
): Promise<Record<keyof S, number>> => {
  const { stderr, ...outcome } = await startSys(stage, services, version);
  // Version 2 warns of walls that do not stand.
  const others = stderr.split('\n').filter((line) => !line.includes('ERR0721'));
  expectDone({ ...outcome, stderr: others.join('\n') });
  return pidsOf(stage, services);
};

export const pidsOf = async <S extends Readonly<Record<string, Declared>>>(
  stage: Stage,
  services: S,
): Promise<Record<keyof S, number>> => {
  const { document } = await stage.status();
  const pids = Object.keys(services).map((name) => [name, serviceIn(document, name).pid ?? 0]);
  // One number for each name that was declared.
  return Object.fromEntries(pids) as Record<keyof S, number>;
};

/** A line of `/proc/<pid>/status`, its fields. */
export const statusLine = (pid: number, name: string): readonly string[] => {
  const [, text = ''] =
    new RegExp(`^${name}:[ \\t]*(.*)$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return text.trim() === '' ? [] : text.trim().split(/\s+/);
};

/** Real, effective, saved and file system id, when they are all the same. */
export const idOf = (pid: number, name: 'Uid' | 'Gid'): number | readonly string[] => {
  const ids = statusLine(pid, name);
  return new Set(ids).size === 1 ? Number(ids[0]) : ids;
};

export const CAPABILITY_SETS = ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'] as const;

/** The five sets, as numbers. */
export const capabilitiesOf = (pid: number): readonly bigint[] =>
  CAPABILITY_SETS.map((name) => BigInt(`0x${statusLine(pid, name)[0] ?? '0'}`));

/** Soft and hard. */
export const limitOf = (pid: number, name: string): readonly string[] => {
  const line = readFileSync(`/proc/${pid}/limits`, 'utf8')
    .split('\n')
    .find((text) => text.startsWith(name));
  return (line ?? '').slice(name.length).trim().split(/\s+/).slice(0, 2);
};

/** A namespace of processes that has no process yet has no name either. */
export const namespaceOf = (pid: number | 'self', kind: string): string => {
  try {
    return readlinkSync(`/proc/${pid}/ns/${kind}`);
  } catch {
    return 'empty';
  }
};

export const environmentOf = (pid: number): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .filter((entry) => entry !== '')
      .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  );
