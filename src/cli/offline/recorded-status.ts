// `sup status` without an answer, with the display names of projects from the manifests that still load.
import type { Context } from '../context.ts';
import { loadPorts } from '../manifest-argument.ts';
import { offlineStatus } from '../../client/offline-status.ts';
import { declaredIn } from '../../manifest/load.ts';
import type { Selection } from '../../streams/domain/command.ts';
import type { ProjectSpec } from '../../streams/domain/declared/manifest.ts';
import { LOOSE } from '../../streams/domain/ids.ts';
import type { StatusDocument } from '../../streams/wire/documents/documents.ts';

const named = (context: Context, projects: readonly ProjectSpec[]): readonly ProjectSpec[] => {
  const manifests = [...new Set(projects.filter(({ id }) => id !== LOOSE).map(({ manifest }) => manifest))];
  const declared = declaredIn(manifests, loadPorts(context)).flatMap((manifest) => manifest.projects);
  return projects.map((project) => declared.find(({ id }) => id === project.id) ?? project);
};

/** Returns the document from the records. `mute`: why a running supervisor did not answer. */
export const recordedStatus = (
  context: Context,
  selection: Selection,
  mute: string | undefined,
): StatusDocument =>
  offlineStatus({ dataDir: context.dataDir, named: (projects) => named(context, projects) }, selection, mute);
