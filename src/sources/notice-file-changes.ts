// Notices changes of files: watches paths with one inotify watch for each directory, whatever number of files
// is in it (D-156). Directories are read one after another, so that a large tree does not block the event
// loop.
// Rules: `docs/behaviour.md`, "Watched files".
import { type FSWatcher, watch } from 'node:fs';
import { lstat, opendir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errnoOf, isGone } from '../os/errno.ts';
import { messageOf } from '../streams/domain/errors/thrown.ts';

interface Deps {
  /**
   * Maximum number of directories that are watched. Each needs an inotify watch, of which a user has a
   * limited number.
   */
  readonly most: number;
  /** The declared paths. They are never ignored. */
  readonly roots: readonly string[];
  readonly isIgnored: (path: string) => boolean;
  readonly onChange: (path: string) => void;
  /** Called with a directory that cannot be read, and the reason. The other directories are still watched. */
  readonly onError: (path: string, detail: string) => void;
  /** Called with a path and the reason if no further directory can be watched. */
  readonly onFull: (path: string, detail: string) => void;
}

/**
 * The interval at which the declared paths are checked, ms. inotify does not report that a directory above a
 * missing path was created, or that a link got another target.
 */
const LOOK_EVERY_MS = 1_000;
/** The number of entries of a directory that one read returns. A directory may have a million entries. */
const ENTRIES = 256;

const FULL: Readonly<Record<string, string>> = {
  ENOSPC:
    'no inotify watch of the user is left (ENOSPC); as root: sysctl -w fs.inotify.max_user_watches=524288',
  EMFILE:
    'no inotify instance of the user is left (EMFILE); as root: sysctl -w fs.inotify.max_user_instances=512',
};

/** The directory that is watched for a path: the path itself, or the directory of a file. */
interface Place {
  readonly directory: string;
  /** The name of the file. */
  readonly file?: string;
  /**
   * Identifies the directory. It changes if another directory replaces this directory, or if a link leads to
   * another directory.
   */
  readonly identity: string;
}

/**
 * Resolves to the place of a directory, of a declared file, or of a file that a link leads to; to `undefined`
 * for any other path.
 */
const placeOf = async (path: string, isRoot: boolean): Promise<Place | undefined> => {
  try {
    const own = await lstat(path);
    if (!isRoot && !own.isDirectory() && !own.isSymbolicLink()) return undefined;
    const found = own.isSymbolicLink() ? await stat(path) : own;
    if (found.isDirectory()) return { directory: path, identity: `${found.dev}:${found.ino}` };
    const real = await realpath(path);
    return { directory: dirname(real), file: basename(real), identity: real };
  } catch {
    return undefined;
  }
};

/**
 * Returns the path that has changed. `name`: the name of an entry of the watched directory, or the name of
 * the directory itself, which may have been removed. Returns `undefined` if only one file of the directory is
 * watched and another file has changed.
 */
const changedPath = (path: string, { directory, file }: Place, name: string): string | undefined => {
  if (file !== undefined) return file === name ? path : undefined;
  return name === basename(directory) ? path : join(path, name);
};

interface Watched extends Place {
  readonly watcher: FSWatcher;
  /** True if the entries of a directory must be read: at first, and after one was made or removed. */
  mustRead: boolean;
}

export class WatchedTree {
  readonly #deps: Deps;
  readonly #watched = new Map<string, Watched>();
  readonly #queue = new Set<string>();
  readonly #looking: NodeJS.Timeout;
  /**
   * The time at which watching was requested, by the clock from which the kernel takes the times of changed
   * files.
   */
  readonly #since = Date.now();
  #isAtWork = false;
  /**
   * True when the declared paths have been read for the first time. A declared path that appears later counts
   * as a change.
   */
  #isRead = false;
  #isClosed = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#lookAt(deps.roots);
    this.#looking = setInterval(() => this.#lookAt(deps.roots), LOOK_EVERY_MS);
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#looking);
    this.#watched.forEach(({ watcher }) => watcher.close());
    this.#watched.clear();
    this.#queue.clear();
  }

  #lookAt(paths: readonly string[]): void {
    paths.forEach((path) => this.#queue.add(path));
    if (!this.#isAtWork) void this.#work();
  }

  async #work(): Promise<void> {
    this.#isAtWork = true;
    // The loop also visits paths that are added meanwhile.
    for (const path of this.#queue) {
      this.#queue.delete(path);
      await this.#look(path).catch((error: unknown) => this.#fail(path, error));
    }
    this.#isAtWork = false;
    this.#isRead = true;
  }

  /** Watches the path if it is not watched yet, and reads its entries if that is necessary. */
  async #look(path: string): Promise<void> {
    const place = await placeOf(path, this.#isRoot(path));
    if (this.#isClosed) return;
    if (!this.#isKnown(path, place)) this.#replace(path, place);
    const known = this.#watched.get(path);
    if (!this.#isRead && known?.file !== undefined) await this.#reportEarlyChange(path);
    if (known?.mustRead !== true) return;
    known.mustRead = false;
    await this.#read(path);
  }

  #replace(path: string, place: Place | undefined): void {
    this.#forget(path);
    if (place === undefined || this.#isLoop(path, place)) return;
    this.#watch(path, place);
    if (this.#isRead && this.#isRoot(path)) this.#deps.onChange(path);
  }

  /** Reports a file that was changed after watching was requested, and before the kernel watched it. */
  async #reportEarlyChange(path: string): Promise<void> {
    const { ctimeMs } = await stat(path);
    if (!this.#isClosed && ctimeMs >= this.#since) this.#deps.onChange(path);
  }

  #isRoot(path: string): boolean {
    return this.#deps.roots.includes(path);
  }

  /**
   * True if the path is already watched at the right place. If an editor has removed a watched file and will
   * create it again, the watch stays valid, because it is a watch of the file's directory.
   */
  #isKnown(path: string, place: Place | undefined): boolean {
    const known = this.#watched.get(path);
    return place === undefined
      ? known === undefined || known.file !== undefined
      : place.identity === known?.identity;
  }

  /** True if the path is a link to a directory above the path. */
  #isLoop(path: string, { identity }: Place): boolean {
    for (let above = dirname(path); this.#watched.has(above); above = dirname(above))
      if (this.#watched.get(above)?.identity === identity) return true;
    return false;
  }

  #watch(path: string, place: Place): void {
    const { most, onFull } = this.#deps;
    if (this.#watched.size >= most) return onFull(path, `more than ${most} directories`);
    const watcher = watch(place.directory, (event, name) => this.#onEvent(path, event, name ?? ''));
    watcher.on('error', (error) => this.#fail(path, error));
    this.#watched.set(path, { ...place, watcher, mustRead: place.file === undefined });
  }

  async #read(directory: string): Promise<void> {
    for await (const entry of await opendir(directory, { bufferSize: ENTRIES })) {
      if (this.#isClosed) return;
      const path = join(directory, entry.name);
      const isNew = entry.isDirectory() && !this.#watched.has(path);
      if ((isNew || entry.isSymbolicLink()) && !this.#isIgnored(path)) this.#queue.add(path);
    }
  }

  #isIgnored(path: string): boolean {
    return !this.#isRoot(path) && this.#deps.isIgnored(path);
  }

  #onEvent(path: string, event: string, name: string): void {
    const known = this.#watched.get(path);
    if (known === undefined) return;
    const isMade = event === 'rename';
    if (isMade && name === basename(known.directory)) this.#forget(path);
    const changed = changedPath(path, known, name);
    if (changed === undefined || this.#isIgnored(changed)) return;
    this.#deps.onChange(changed);
    if (!isMade) return;
    // The directory is read again instead of checking each new entry, because there may be thousands of them.
    known.mustRead = known.file === undefined;
    this.#lookAt([path]);
  }

  /** Ends the watches of the path and of all paths below it. */
  #forget(path: string): void {
    if (!this.#watched.has(path)) return;
    for (const [each, { watcher }] of this.#watched) {
      if (each !== path && !each.startsWith(`${path}/`)) continue;
      watcher.close();
      this.#watched.delete(each);
    }
  }

  #fail(path: string, error: unknown): void {
    if (this.#isClosed || isGone(error)) return;
    const full = FULL[errnoOf(error) ?? ''];
    if (full === undefined) this.#deps.onError(path, messageOf(error));
    else this.#deps.onFull(path, full);
  }
}
