// What is needed of Debian's packages: qemu, installed; a kernel, downloaded and unpacked beside the repository, not installed.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const QEMU = 'qemu-system-x86_64';

const run = (program: string, args: readonly string[], cwd?: string): string =>
  execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

const found = (program: string): boolean => {
  try {
    run('/bin/sh', ['-c', `command -v ${program}`]);
    return true;
  } catch {
    return false;
  }
};

/** The name of the program, to start it. */
export const qemu = (): string => {
  if (found(QEMU)) return QEMU;
  console.log('installing qemu-system-x86 (apt-get)');
  run('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'qemu-system-x86']);
  return QEMU;
};

/** What a package of no content of its own stands for: `linux-image-cloud-amd64` for the kernel of the day. */
const concrete = (name: string): string => {
  const depends = /^ *Depends: (linux-image-\d\S+)/m.exec(run('apt-cache', ['depends', name]))?.[1];
  return depends ?? name;
};

const download = (name: string, directory: string): void => {
  console.log(`downloading ${name} (apt-get)`);
  mkdirSync(directory, { recursive: true });
  run('apt-get', ['download', '-q', '-o', 'APT::Sandbox::User=root', name], directory);
  for (const deb of readdirSync(directory).filter((file) => file.endsWith('.deb')))
    run('dpkg', ['-x', join(directory, deb), directory]);
};

const imageIn = (directory: string): string | undefined => {
  const boot = join(directory, 'boot');
  if (!existsSync(boot)) return undefined;
  const image = readdirSync(boot).find((file) => file.startsWith('vmlinuz-'));
  return image === undefined ? undefined : join(boot, image);
};

/** The path of a kernel of Debian, kept in `cache` for the next time. */
export const kernel = (wanted: string, cache: string): string => {
  const name = concrete(wanted);
  const directory = join(cache, name);
  if (imageIn(directory) === undefined) download(name, directory);
  const image = imageIn(directory);
  if (image === undefined) throw new Error(`${name} has no kernel in it`);
  return image;
};

/** The path of a module of that kernel; unpacked into `scratch` if it is compressed. */
export const moduleOf = (image: string, name: string, scratch: string): string => {
  const directory = dirname(dirname(image));
  const path = run('find', [directory, '-name', `${name}.ko*`])
    .split('\n')
    .find(Boolean);
  if (path === undefined) throw new Error(`${image} has no module ${name}`);
  if (!path.endsWith('.xz')) return path;
  const plain = join(scratch, `${name}.ko`);
  writeFileSync(plain, execFileSync('xz', ['-dc', path]));
  return plain;
};
