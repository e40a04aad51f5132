// Reports what was removed, or would be removed, as text and as a document.
import { lstatSync, readdirSync } from 'node:fs';
import { isMissing } from '../../../os/errno.ts';
import type { Found } from '../../../streams/domain/event.ts';
import { LOOSE, shownId } from '../../../streams/domain/ids.ts';
import type { Leftover } from '../../../streams/wire/protocol.ts';
import { sizeText } from '../../../streams/views/words/age-and-size.ts';
import { shownLine } from '../../../streams/views/words/foreign-text.ts';
import type { PurgedDocument } from '../../../streams/wire/documents/machine-documents.ts';

interface Weighed extends Leftover {
  readonly bytes: number;
}

/** Items to remove that belong to no project: the data directory and the boot entry. */
export interface Own {
  readonly project: null;
  readonly kind: 'all' | 'boot';
  readonly path: string;
  readonly bytes: number;
}

/** Returns the size of a file or directory in bytes, without following symbolic links. */
export const bytesOf = (path: string): number => {
  try {
    const stat = lstatSync(path);
    if (!stat.isDirectory()) return stat.isFile() ? stat.size : 0;
    return readdirSync(path).reduce((sum, name) => sum + bytesOf(`${path}/${name}`), 0);
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
};

export interface Purge {
  readonly dryRun: boolean;
  readonly removed: readonly Weighed[];
  readonly stopped: readonly Found[];
}

const total = (removed: readonly { readonly bytes: number }[]): number =>
  removed.reduce((sum, { bytes }) => sum + bytes, 0);

export const purgeDocument = ({
  dryRun,
  removed,
  stopped,
}: Omit<Purge, 'removed'> & { readonly removed: readonly (Weighed | Own)[] }): PurgedDocument => ({
  schema: 'sup.purged/1',
  dry_run: dryRun,
  bytes: total(removed),
  removed: removed.map(({ project, kind, path, bytes }) => ({ project, kind, path, bytes })),
  stopped: stopped.map(({ service, run, process }) => ({ service, run, pid: process.pid })),
});

const counted = (projects: readonly string[]): string => {
  const own = projects.filter((project) => project !== LOOSE);
  const loose = projects.includes(LOOSE) ? ['loose services'] : [];
  const named = own.length === 0 ? [] : [`${own.length} ${own.length === 1 ? 'project' : 'projects'}`];
  return [...named, ...loose].join(' and ');
};

export const namesText = (projects: readonly string[]): string =>
  projects.map((project) => (project === LOOSE ? 'loose services' : shownLine(project))).join(', ');

export const purgeLines = ({ dryRun, removed, stopped }: Purge): readonly string[] => {
  if (removed.length === 0 && stopped.length === 0) return ['nothing is left'];
  const projects = [...new Set(removed.map(({ project }) => project))];
  const freed = sizeText(total(removed));
  const head = dryRun
    ? `${counted(projects)} would be purged: ${namesText(projects)} (${freed})`
    : `${counted(projects)} purged: ${namesText(projects)} (${freed} freed)`;
  return [
    ...stopped.map(
      ({ service, process }) =>
        `${dryRun ? 'would be stopped' : 'stopped'}: ${shownId(service)} (pid ${process.pid})`,
    ),
    ...(removed.length === 0 ? [] : [head]),
    ...removed.map(({ path, bytes }) => `  ${shownLine(path)} (${sizeText(bytes)})`),
  ];
};
