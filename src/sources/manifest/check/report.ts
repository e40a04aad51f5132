// Collects everything that is wrong with one load: a manifest's mistakes are data, and all of them are reported at once.

import type { Problem } from '../../../streams/domain/manifest.ts';
import type { Place } from '../read/node.ts';
import { chainOf, positionOf } from '../read/position.ts';

/** What is wrong, before it is known where. */
export interface Finding {
  readonly code: Problem['code'];
  /** The offending value and the rule it breaks. */
  readonly message: string;
  /** A function is only called for a problem that is kept. */
  readonly hint?: string | (() => string | undefined) | undefined;
  readonly severity?: 'warning';
}

/** Where it is wrong: the dotted path, and the place in a file when there is one. */
export interface Where {
  readonly path: string;
  /** The file as a whole, where nothing in it can be pointed at. */
  readonly file?: string;
  readonly place?: Place | undefined;
}

export interface Report {
  readonly add: (where: Where, finding: Finding) => void;
  readonly problems: () => readonly Problem[];
  /** True once an error, not just a warning, was added. */
  readonly failed: () => boolean;
}

/** Beyond these a list of problems helps nobody and only costs memory. */
const MOST_PROBLEMS = 500;

const located = (place: Place): Partial<Problem> => ({ file: place.file.path, ...positionOf(place) });

const problemOf = ({ path, file, place }: Where, finding: Finding): Problem => {
  const chain = place === undefined ? undefined : chainOf(place.file);
  const hint = typeof finding.hint === 'function' ? finding.hint() : finding.hint;
  return {
    code: finding.code,
    severity: finding.severity ?? 'error',
    path,
    ...(file === undefined ? {} : { file }),
    ...(place === undefined ? {} : located(place)),
    message: chain === undefined ? finding.message : `${finding.message} (${chain})`,
    ...(hint === undefined ? {} : { hint }),
  };
};

const overflow = (left: number): Problem => ({
  code: 'ERR0209',
  severity: 'error',
  path: '',
  message: `${left} more problems are not shown`,
});

/** By file, in the order in which files came up, then by position. */
const inOrder = (problems: readonly Problem[]): readonly Problem[] => {
  const files = [...new Set(problems.map(({ file }) => file))];
  return [...problems].sort(
    (one, other) =>
      files.indexOf(one.file) - files.indexOf(other.file) ||
      (one.line ?? 0) - (other.line ?? 0) ||
      (one.column ?? 0) - (other.column ?? 0),
  );
};

export const startReport = (): Report => {
  const found: Problem[] = [];
  let left = 0;
  let failed = false;
  const add = (where: Where, finding: Finding): void => {
    failed ||= finding.severity !== 'warning';
    if (found.length < MOST_PROBLEMS) found.push(problemOf(where, finding));
    else left += 1;
  };
  return {
    add,
    problems: () => [...inOrder(found), ...(left === 0 ? [] : [overflow(left)])],
    failed: () => failed,
  };
};
