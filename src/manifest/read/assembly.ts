// One file on its way into the assembled tree, and how its faults are told.
import type { Finding } from '../check/report.ts';
import type { Budget, Opened } from './include.ts';
import { brokenAt, type BrokenNode, type Node, type Place } from './node.ts';

/** Nodes of the assembled tree, aliases and merged keys counted as often as they are used. */
export const MOST_NODES = 200_000;

/** Of YAML itself: they say what a value is anyway. */
export const KNOWN_TAGS: readonly string[] = ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map(
  (name) => `tag:yaml.org,2002:${name}`,
);

export interface Assembly {
  readonly opened: Opened;
  readonly budget: Budget;
  /** Anchors of this file that are complete. */
  readonly anchors: Map<string, Node>;
}

/** A place in the file at hand, and the dotted path it has in the assembled manifest. */
export interface Here {
  readonly offset: number;
  readonly path: string;
}

export const placeIn = (assembly: Assembly, offset: number): Place => ({
  file: assembly.opened.file,
  offset,
});

/** Reports, and stands in for what could not be read. */
export const fault = (assembly: Assembly, { offset, path }: Here, finding: Finding): BrokenNode => {
  const place = placeIn(assembly, offset);
  assembly.budget.report.add({ path, place }, finding);
  return brokenAt(place);
};
