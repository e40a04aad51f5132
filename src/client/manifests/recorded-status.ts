// `sup status` if no supervisor answers: the records, with project names from the manifests that still load.
// Rules: `docs/behaviour.md`, "Without a supervisor", "status".
import { loadPorts, type ReadPlace } from './manifest-paths.ts';
import { offlineStatus } from '../offline-status.ts';
import { declaredIn } from '../../manifest/load.ts';
import type { Selection } from '../../streams/domain/command.ts';
import type { ProjectSpec } from '../../streams/domain/declared/manifest.ts';
import { LOOSE } from '../../streams/domain/ids.ts';
import type { StatusDocument } from '../../streams/wire/documents/documents.ts';

const named = (place: ReadPlace, projects: readonly ProjectSpec[]): readonly ProjectSpec[] => {
  const manifests = [...new Set(projects.filter(({ id }) => id !== LOOSE).map(({ manifest }) => manifest))];
  const declared = declaredIn(manifests, loadPorts(place)).flatMap((manifest) => manifest.projects);
  return projects.map((project) => declared.find(({ id }) => id === project.id) ?? project);
};

/** Returns the recorded document of `sup status`. `mute` says why a running supervisor did not answer. */
export const recordedStatus = (
  place: ReadPlace,
  selection: Selection,
  mute: string | undefined,
): StatusDocument =>
  offlineStatus({ dataDir: place.dataDir, named: (projects) => named(place, projects) }, selection, mute);
