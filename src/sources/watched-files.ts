// Watches the files of a service (`docs/manifest.md`, "watch"). It only reports changes; what follows is
// decided elsewhere. The package is loaded when the first service needs it (D-133).
//
// `chokidar` does not see a declared directory that was removed and made again, a path of which the directory
// is missing, or a link that leads elsewhere. So each declared path is looked at once a second, too.
import { realpath, stat } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import {
  defer,
  distinctUntilChanged,
  exhaustMap,
  from,
  groupBy,
  map,
  mergeMap,
  Observable,
  pairwise,
  startWith,
  switchMap,
  throttleTime,
  timer,
} from 'rxjs';
import { ignoring } from './ignored-files.ts';
import { errnoOf } from '../os/errno.ts';
import { messageOf } from '../streams/domain/errors/thrown.ts';
import type { Event } from '../streams/domain/event.ts';
import type { Source } from '../streams/domain/ports.ts';
import type { FilesWatch } from '../streams/domain/watch.ts';

/** Files and directories that one service may watch; each takes an inotify watch of the user. */
const MOST_PATHS = 20_000;
const LOOK_EVERY_MS = 1_000;
const REPORT_EVERY_MS = 3_600_000;

/** What a declared path is: it changes if another directory takes its place, not if a file does. */
interface Root {
  readonly path: string;
  readonly is: string | undefined;
}

const rootAt = async (path: string): Promise<Root> => {
  try {
    const [real, stats] = await Promise.all([realpath(path), stat(path)]);
    return { path, is: stats.isDirectory() ? `${real} ${stats.dev}:${stats.ino}` : real };
  } catch {
    return { path, is: undefined };
  }
};

/** Errors after which nothing more can be watched. */
const EXHAUSTED: Readonly<Record<string, string>> = {
  ENOSPC: 'no inotify watch of the user is left (ENOSPC)',
  EMFILE: 'no inotify instance of the user is left (EMFILE)',
};

interface Changes extends FilesWatch {
  readonly roots: readonly Root[];
  /** Paths that were made, or lead elsewhere, since the last look. */
  readonly fresh: readonly string[];
  /** Called with the declared directory that was removed. */
  readonly onLost: (path: string) => void;
}

type Chokidar = typeof import('chokidar');

/** Returns a function that is true for ignored paths, and for new ones when there are too many. */
const filterOf = (
  { directory, ignore = [], roots }: Changes,
  onTooMany: () => void,
): ((path: string) => boolean) => {
  const declared = new Set(roots.map(({ path }) => path));
  const isIgnored = ignoring(ignore);
  const seen = new Set<string>();
  return (path) => {
    if (!declared.has(path) && isIgnored(shown(directory, path))) return true;
    if (seen.size >= MOST_PATHS && !seen.has(path)) {
      onTooMany();
      return true;
    }
    seen.add(path);
    return false;
  };
};

const shown = (directory: string, path: string): string =>
  relative(directory, path).split(sep).join('/') || '.';

function changes({ watch }: Chokidar, given: Changes): Observable<Event> {
  const { service, directory, roots, fresh, onLost } = given;
  const paths = roots.flatMap(({ path, is }) => (is === undefined ? [] : [path]));
  return new Observable((subscriber) => {
    const changed = (path: string): void =>
      subscriber.next({ type: 'changed', service, file: shown(directory, path) });
    const report = (path: string, detail: string): void =>
      subscriber.next({ type: 'unwatched', service, file: shown(directory, path), detail });
    const ignored = filterOf(given, () => {
      report(paths[0] ?? directory, `more than ${MOST_PATHS} files and directories`);
      void watcher.close();
    });
    const watcher = watch(paths, { ignored, ignoreInitial: true });
    watcher.on('ready', () => fresh.forEach(changed));
    watcher.on('all', (kind, path) => {
      if (kind === 'unlinkDir' && paths.includes(path)) onLost(path);
      changed(path);
    });
    watcher.on('error', (error) => {
      const errno = errnoOf(error) ?? '';
      report(paths[0] ?? directory, EXHAUSTED[errno] ?? messageOf(error));
      if (errno in EXHAUSTED) void watcher.close();
    });
    return () => void watcher.close();
  });
}

/** Emits what each declared path is, and before, if one has become another. */
function rootsOf(
  { paths }: FilesWatch,
  lost: ReadonlyMap<string, number>,
): Observable<readonly [readonly Root[] | undefined, readonly Root[]]> {
  return timer(0, LOOK_EVERY_MS).pipe(
    exhaustMap(() => Promise.all(paths.map(rootAt))),
    map((roots) => roots.map(({ path, is }) => ({ path, is: is && `${is} ${String(lost.get(path) ?? 0)}` }))),
    distinctUntilChanged((before, now) => before.every(({ is }, at) => is === now[at]?.is)),
    startWith(undefined),
    pairwise(),
    map(([before, now = []]) => [before, now] as const),
  );
}

const freshIn = (before: readonly Root[] | undefined, now: readonly Root[]): readonly string[] =>
  before === undefined
    ? []
    : now.flatMap(({ path, is }, at) => (is === undefined || is === before[at]?.is ? [] : [path]));

function watched(chokidar: Chokidar, watch: FilesWatch): Observable<Event> {
  return defer(() => {
    const lost = new Map<string, number>();
    const onLost = (path: string): void => void lost.set(path, (lost.get(path) ?? 0) + 1);
    return rootsOf(watch, lost).pipe(
      switchMap(([before, roots]) =>
        changes(chokidar, { ...watch, roots, fresh: freshIn(before, roots), onLost }),
      ),
    );
  });
}

export const files: Source<'files'> = (watch) =>
  defer(() => from(import('chokidar'))).pipe(
    switchMap((chokidar) => watched(chokidar, watch)),
    groupBy(({ type }) => type),
    mergeMap((event$) =>
      event$.key === 'changed'
        ? event$.pipe(throttleTime(watch.debounce / 2, undefined, { leading: true, trailing: true }))
        : // One report is enough: many files fail for the same reason.
          event$.pipe(throttleTime(REPORT_EVERY_MS)),
    ),
  );
