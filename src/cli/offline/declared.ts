// What the registered manifests declare now: the only source for projects without services and for services
// that never started.
import { loadRegistered, type LoadPorts } from '../../manifest/load.ts';
import type { Manifest } from '../../streams/domain/declared/manifest.ts';

/** The manifests that load. */
export const declaredIn = (manifests: readonly string[], ports: LoadPorts): readonly Manifest[] =>
  manifests.flatMap((path) => loadRegistered(path, ports).manifest ?? []);
