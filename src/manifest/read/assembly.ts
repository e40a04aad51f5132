// The state of one file while it is assembled, and how its faults are reported.
import type { Finding } from '../check/report.ts';
import type { Budget, Opened } from './include.ts';
import { brokenAt, type BrokenNode, type Node, type Place } from './node.ts';

/** Limit of nodes in the assembled tree; aliases and merged keys count at each use. */
export const MOST_NODES = 200_000;

/** YAML's own tags, which only repeat the type of a value. */
export const KNOWN_TAGS: readonly string[] = ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map(
  (name) => `tag:yaml.org,2002:${name}`,
);

export interface Assembly {
  readonly opened: Opened;
  readonly budget: Budget;
  /** Anchors of this file that are complete. */
  readonly anchors: Map<string, Node>;
}

/** An offset in the current file, and its dotted path in the assembled manifest. */
export interface Here {
  readonly offset: number;
  readonly path: string;
}

export const placeIn = (assembly: Assembly, offset: number): Place => ({
  file: assembly.opened.file,
  offset,
});

/** Reports a problem and returns a broken node. */
export const fault = (assembly: Assembly, { offset, path }: Here, finding: Finding): BrokenNode => {
  const place = placeIn(assembly, offset);
  assembly.budget.report.add({ path, place }, finding);
  return brokenAt(place);
};
