// What the `state_path` files of a manifest's blue/green services say: which slot had the traffic last. A file that is not
// there or cannot be read says nothing; the supervisor's own state is asked then.
import { readFileSync } from 'node:fs';
import type { ServiceId } from '../../streams/domain/ids.ts';
import type { LoadResult } from '../../streams/domain/declared/manifest.ts';

const firstLine = (path: string): string => {
  try {
    return readFileSync(path, 'utf8').split('\n')[0]?.trim() ?? '';
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
