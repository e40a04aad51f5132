// Hides directories from the calling process and its children: an empty, read-only tmpfs covers each, in a
// new mount namespace. What is mounted outside later still appears inside.
import { closeSync, existsSync, fstatSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeDirectory } from '../../files/make-directory.ts';
import { HIDDEN_SOURCE } from '../../files/hidden-place.ts';
import { cFunction, type Libc } from '../../libc.ts';
import { cString } from '../memory.ts';
import { enterNamespace } from './namespaces.ts';

const MOUNT = cFunction('int', 'mount', 'pointer', 'pointer', 'pointer', 'ulong', 'pointer');

const MS_RDONLY = 0x1;
const MS_NOSUID = 0x2;
const MS_NODEV = 0x4;
const MS_REMOUNT = 0x20;
const MS_BIND = 0x1000;
const MS_REC = 0x4000;
const MS_SLAVE = 0x8_0000;
/** Opens a path only to refer to it. */
const O_PATH = 0x20_0000;

interface Kept {
  readonly path: string;
  readonly descriptor: number;
}

const openKept = (paths: readonly string[]): readonly Kept[] =>
  paths.filter((path) => existsSync(path)).map((path) => ({ path, descriptor: openSync(path, O_PATH) }));

const cover = (libc: Libc, place: string): void => {
  const options = cString('mode=0755,size=64k,nr_inodes=64');
  libc.call(MOUNT, cString(HIDDEN_SOURCE), cString(place), cString('tmpfs'), MS_NOSUID | MS_NODEV, options);
};

const bindBack = (libc: Libc, { path, descriptor }: Kept): void => {
  const isDirectory = fstatSync(descriptor).isDirectory();
  makeDirectory(isDirectory ? path : dirname(path), 0o755);
  if (!isDirectory) closeSync(openSync(path, 'a', 0o444));
  const from = cString(`/proc/self/fd/${descriptor}`);
  libc.call(MOUNT, from, cString(path), null, MS_BIND | MS_REC, null);
};

const close = (libc: Libc, place: string): void => {
  const flags = MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV;
  libc.call(MOUNT, null, cString(place), null, flags, null);
};

/** Hides `places`; `kept` are paths below them that stay visible. A place that does not exist is skipped. */
export const hidePlaces = (libc: Libc, places: readonly string[], kept: readonly string[]): void => {
  enterNamespace(libc, 'mount');
  libc.call(MOUNT, cString('none'), cString('/'), null, MS_REC | MS_SLAVE, null);
  const opened = openKept(kept);
  const there = places.filter((place) => existsSync(place));
  for (const place of there) cover(libc, place);
  for (const one of opened) bindBack(libc, one);
  for (const place of there) close(libc, place);
  for (const { descriptor } of opened) closeSync(descriptor);
};
