// Follows the list of registered manifests into `registry.json`.
import { existsSync } from 'node:fs';
import { from, of, tap, type Observable } from 'rxjs';
import { replaceFileAsync } from '../../os/files/replace-file.ts';
import { oneAtATime, type Work } from '../../streams/operators/one-at-a-time.ts';
import { layoutOf } from '../../streams/wire/layout.ts';
import { REGISTRY_SCHEMA, type StoredRegistry } from '../../streams/wire/stored.ts';
import { keptKeys, type Extra } from './kept-keys.ts';
import { keepWritten } from './keep-written.ts';
import type { RecordPorts } from './project-records.ts';

/** Resolved paths, as they are registered now. */
type Manifests = readonly string[];

export interface RegistryWriter {
  follow(manifests$: Observable<Manifests>): Observable<never>;
  /** Writes when it is subscribed to. Emits once, when the list is on disk; fails when it cannot be. */
  readonly flush: Work<Manifests, void>;
  /** It was written, and somebody has removed it. */
  readonly isLost: () => boolean;
}

export const registryWriter = ({ dataDir, onTrouble }: RecordPorts): RegistryWriter => {
  const file = layoutOf(dataDir).registry;
  const extra = keptKeys(file, ['schema', 'manifests']);
  let written = '';
  const write = oneAtATime((manifests: Manifests): Observable<void> => {
    const text = registryText(manifests, extra);
    if (text === written && existsSync(file)) return of(undefined);
    return from(replaceFileAsync(file, text)).pipe(tap(() => (written = text)));
  });
  const writer: RegistryWriter = {
    follow(manifests$) {
      return manifests$.pipe(keepWritten({ write, what: 'the list of registered manifests', onTrouble }));
    },
    flush: write,
    isLost: () => written !== '' && !existsSync(file),
  };
  return writer;
};

const registryText = (manifests: Manifests, extra: Extra): string => {
  const registry: StoredRegistry = { schema: REGISTRY_SCHEMA, manifests };
  return `${JSON.stringify({ ...extra, ...registry }, undefined, 2)}\n`;
};
