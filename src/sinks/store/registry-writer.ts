// Follows the list of registered manifests into `registry.json`.
import type { Observable } from 'rxjs';
import { replaceFileAsync } from '../../os/replace-file.ts';
import { layoutOf } from '../../streams/wire/layout.ts';
import { REGISTRY_SCHEMA, type StoredRegistry } from '../../streams/wire/stored.ts';
import { keepWritten } from './keep-written.ts';
import { oneAtATime } from './one-at-a-time.ts';
import type { StateWriterPorts } from './state-writer.ts';

/** Resolved paths, as they are registered now. */
export type Manifests = readonly string[];

export interface RegistryWriter {
  follow(manifests$: Observable<Manifests>): Observable<never>;
  /** Settles when the list is on disk, rejects when it cannot be. */
  readonly flush: (manifests: Manifests) => Promise<void>;
}

export const registryWriter = ({ dataDir, onTrouble }: StateWriterPorts): RegistryWriter => {
  const file = layoutOf(dataDir).registry;
  const write = oneAtATime((manifests: Manifests) => replaceFileAsync(file, registryText(manifests)));
  const writer: RegistryWriter = {
    follow(manifests$) {
      return manifests$.pipe(keepWritten({ write, what: 'the list of registered manifests', onTrouble }));
    },
    flush: write,
  };
  return writer;
};

const registryText = (manifests: Manifests): string => {
  const registry: StoredRegistry = { schema: REGISTRY_SCHEMA, manifests };
  return `${JSON.stringify(registry, undefined, 2)}\n`;
};
