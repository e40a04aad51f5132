// Keeps `registry.json` up to date.
import { existsSync } from 'node:fs';
import { from, of, tap, type Observable } from 'rxjs';
import { replaceFileAsync } from '../../os/files/replace-file.ts';
import { oneAtATime, type Work } from '../../streams/operators/one-at-a-time.ts';
import { layoutOf } from '../../streams/wire/layout.ts';
import { REGISTRY_SCHEMA, type Registered, type StoredRegistry } from '../../streams/wire/stored.ts';
import { keptKeys, type Extra } from './kept-keys.ts';
import { keepWritten } from './keep-written.ts';
import type { RecordPorts } from './project-records.ts';

export interface RegistryWriter {
  follow(registered$: Observable<Registered>): Observable<never>;
  /** Writes on subscription. Emits once, when the list is on disk; fails when that is impossible. */
  readonly flush: Work<Registered, void>;
  /** True if it was written and removed since. */
  readonly isLost: () => boolean;
}

export const registryWriter = ({ dataDir, onTrouble }: RecordPorts): RegistryWriter => {
  const file = layoutOf(dataDir).registry;
  const extra = keptKeys(file, ['schema', 'manifests', 'projects']);
  let written = '';
  const write = oneAtATime((registered: Registered): Observable<void> => {
    const text = registryText(registered, extra);
    if (text === written && existsSync(file)) return of(undefined);
    return from(replaceFileAsync(file, text)).pipe(tap(() => (written = text)));
  });
  const writer: RegistryWriter = {
    follow(registered$) {
      return registered$.pipe(keepWritten({ write, what: 'the list of registered manifests', onTrouble }));
    },
    flush: write,
    isLost: () => written !== '' && !existsSync(file),
  };
  return writer;
};

const registryText = ({ manifests, projects }: Registered, extra: Extra): string => {
  const registry: StoredRegistry = { schema: REGISTRY_SCHEMA, manifests, projects };
  return `${JSON.stringify({ ...extra, ...registry }, undefined, 2)}\n`;
};
