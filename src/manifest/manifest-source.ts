// Loads the manifests of a request, on subscription. Also reads from `state_path` which blue/green slot had
// the traffic last. If that file cannot be read, the supervisor uses its own state.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { defer, of } from 'rxjs';
import { type LoadPorts, loadRegistered } from './load.ts';
import { notOurs, READ_OWN } from '../os/files/own-file.ts';
import type { LoadResult } from '../streams/domain/declared/manifest.ts';
import type { ServiceId } from '../streams/domain/ids.ts';
import type { Source } from '../streams/domain/ports.ts';

/** The most bytes of a `state_path` file that are read; no slot is longer. */
const LONGEST = 4096;

/** Returns the beginning of a `state_path` file; `''` if its owner is neither this user nor root. */
const beginningOf = (path: string): string => {
  const file = openSync(path, READ_OWN);
  try {
    const bytes = Buffer.alloc(LONGEST);
    return notOurs(fstatSync(file)) === undefined ? bytes.toString('utf8', 0, readSync(file, bytes)) : '';
  } finally {
    closeSync(file);
  }
};

const firstLine = (path: string): string => {
  try {
    return beginningOf(path).split('\n')[0]?.trim() ?? '';
  } catch {
    return '';
  }
};

export const withSlots = (load: LoadResult): LoadResult => {
  const kept = (load.manifest?.services ?? []).flatMap(
    ({ id, deployment }): (readonly [ServiceId, string])[] => {
      const path = deployment.blueGreen?.statePath;
      const slot = path === undefined ? '' : firstLine(path);
      return slot === '' ? [] : [[id, slot]];
    },
  );
  return kept.length === 0 ? load : { ...load, slots: Object.fromEntries(kept) };
};

export const manifests =
  (ports: LoadPorts): Source<'manifests'> =>
  ({ request, paths, readings = {} }) =>
    defer(() =>
      of({
        type: 'manifests-loaded' as const,
        request,
        loads: paths.map((path) => withSlots(loadRegistered(path, { ...ports, readings }))),
      }),
    );
