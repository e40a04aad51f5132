// The processes of a service in the order of a tree.
import type { ProcessDocument } from '../../../streams/wire/documents/documents.ts';

export interface TreeLine {
  readonly process: ProcessDocument;
  readonly depth: number;
}

/**
 * Returns each process after its parent. A process with a parent outside the service is a root of the tree.
 */
export const processLines = (processes: readonly ProcessDocument[]): readonly TreeLine[] => {
  const pids = new Set(processes.map(({ pid }) => pid));
  const withChildren = (process: ProcessDocument, depth: number): readonly TreeLine[] => [
    { process, depth },
    ...processes
      .filter(({ ppid, pid }) => ppid === process.pid && pid !== ppid)
      .flatMap((child) => withChildren(child, depth + 1)),
  ];
  return processes.filter(({ ppid }) => !pids.has(ppid)).flatMap((root) => withChildren(root, 0));
};
