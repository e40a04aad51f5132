// What the registered manifests declare by now: all there is of a project without services, and of one that was never started.
import { loadRegistered, type LoadPorts } from '../../manifest/load.ts';
import type { Manifest } from '../../streams/domain/declared/manifest.ts';

/** Those that can be loaded. */
export const declaredIn = (manifests: readonly string[], ports: LoadPorts): readonly Manifest[] =>
  manifests.flatMap((path) => loadRegistered(path, ports).manifest ?? []);
