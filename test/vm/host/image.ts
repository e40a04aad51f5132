// The root of the machine: programs of this one, the bundles of `sup`, the package for the C library, the checks.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeArchive, type Entry } from './cpio.ts';
import { INIT, SUPERVISE } from './init.ts';
import { packageFiles } from './packages.ts';
import { directoriesAbove, librariesFor, programs } from './programs.ts';

const PROGRAMS = [
  ...['/bin/sh', process.execPath, 'cat', 'sleep', 'tail', 'mount', 'mkdir', '/bin/true', 'mkfifo'],
  ...['unshare', 'setpriv', 'getent', 'setsid', 'env'],
];

const PASSWD = 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/bin/sh\n';
const GROUP = 'root:x:0:\nadm:x:4:\nnogroup:x:65534:\n';

const bundles = (root: string): readonly Entry[] =>
  readdirSync(join(root, 'dist'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry): Entry => {
      const from = join(entry.parentPath, entry.name);
      return { tag: 'copy', from, path: from.replace(root, '/opt/sup/'), mode: 0o755 };
    });

const texts: readonly Entry[] = [
  { tag: 'text', path: '/init', text: INIT, mode: 0o755 },
  { tag: 'text', path: '/etc/sup/vm.yaml', text: SUPERVISE },
  { tag: 'text', path: '/etc/passwd', text: PASSWD },
  { tag: 'text', path: '/etc/group', text: GROUP },
  { tag: 'text', path: '/etc/nsswitch.conf', text: 'passwd: files\ngroup: files\n' },
];

const EMPTY: readonly Entry[] = ['/proc', '/sys', '/dev', '/tmp', '/run', '/root', '/var', '/var/lib'].map(
  (path) => ({ tag: 'directory', path }),
);

const console: Entry = { tag: 'device', path: '/dev/console', major: 5, minor: 1 };

/** Compiled, without libraries. */
const silentFuse = (root: string, scratch: string): string => {
  const program = join(scratch, 'silent-fuse');
  execFileSync('cc', ['-static', '-O1', '-o', program, join(root, 'test/vm/guest/silent-fuse.c')]);
  return program;
};

interface Parts {
  readonly root: string;
  /** For what is compiled; removed when this is over. */
  readonly scratch: string;
  /** The kernel's module for FUSE. */
  readonly fuse: string;
  /** The bundled checks. */
  readonly guest: string;
}

/** Writes it to `file`. */
export const writeImage = (file: string, { root, scratch, fuse, guest }: Parts): void => {
  const ffi = packageFiles(join(root, 'node_modules'), 'ffi-napi', '/opt/sup/node_modules');
  const natives = ffi.flatMap((entry) =>
    entry.tag === 'copy' && entry.from.endsWith('.node') && !entry.from.includes('prebuilds')
      ? [entry.from]
      : [],
  );
  const files: readonly Entry[] = [
    ...texts,
    ...programs(PROGRAMS),
    ...librariesFor(natives),
    ...ffi,
    ...bundles(root),
    { tag: 'copy', from: join(root, 'package.json'), path: '/opt/sup/package.json' },
    { tag: 'copy', from: guest, path: '/vm/checks.mjs' },
    { tag: 'copy', from: silentFuse(root, scratch), path: '/vm/silent-fuse', mode: 0o755 },
    { tag: 'copy', from: fuse, path: '/vm/fuse.ko' },
  ];
  const unique = [...new Map(files.map((entry) => [entry.path, entry])).values()];
  writeArchive(file, [...directoriesAbove([...unique, ...EMPTY]), ...EMPTY, console, ...unique]);
};
