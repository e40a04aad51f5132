// Watches the files of a service (`docs/manifest.md`, "watch"). This file only reports changes; other code
// decides what follows from them.
// Rules: `docs/behaviour.md`, "Watched files".
import { relative } from 'node:path';
import { groupBy, mergeMap, Observable, repeat, throttleTime } from 'rxjs';
import { ignoring } from './ignored-files.ts';
import { WatchedTree } from './notice-file-changes.ts';
import type { Event } from '../streams/domain/event.ts';
import type { Source } from '../streams/domain/ports.ts';
import type { FilesWatch } from '../streams/domain/watch.ts';

/** The pause after which files are watched again if a limit on directories was reached. */
const AGAIN_AFTER_MS = 300_000;
const MOST_DIRECTORIES = 20_000;
const REPORT_EVERY_MS = 3_600_000;

interface FilesPorts {
  /**
   * The directory of the supervisor's own files. It is ignored, because each report of a change writes to it.
   */
  readonly dataDir: string;
  readonly most?: number;
}

/** Emits each change and each failure. Completes if no further directory can be watched. */
function changes(
  { service, directory, paths, ignore = [] }: FilesWatch,
  { dataDir, most = MOST_DIRECTORIES }: FilesPorts,
): Observable<Event> {
  return new Observable((subscriber) => {
    const shown = (path: string): string => relative(directory, path) || '.';
    const isIgnored = ignoring(directory, ignore);
    const report = (path: string, detail: string): void =>
      subscriber.next({ type: 'unwatched', service, file: shown(path), detail });
    const tree = new WatchedTree({
      most,
      roots: paths,
      isIgnored: (path) => path === dataDir || isIgnored(path),
      onChange: (path) => subscriber.next({ type: 'changed', service, file: shown(path) }),
      onError: report,
      onFull: (path, detail) => {
        report(path, detail);
        subscriber.complete();
      },
    });
    return () => tree.close();
  });
}

/**
 * Returns the source of changes. It emits at most two changes in each `debounce`, and one failure an hour.
 */
export const files =
  (ports: FilesPorts): Source<'files'> =>
  (watch) =>
    changes(watch, ports).pipe(
      repeat({ delay: AGAIN_AFTER_MS }),
      groupBy(({ type }) => type),
      mergeMap((event$) =>
        event$.key === 'changed'
          ? event$.pipe(throttleTime(watch.debounce / 2, undefined, { leading: true, trailing: true }))
          : // One report is enough: many directories fail for the same reason.
            event$.pipe(throttleTime(REPORT_EVERY_MS)),
      ),
    );
