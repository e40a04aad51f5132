// Collects everything that is wrong with one load: a manifest's mistakes are data, and all of them are reported at once.

import type { Problem } from '../../streams/domain/declared/manifest.ts';
import type { Place } from '../read/node.ts';
import { escapedLine } from '../../streams/views/words/foreign-text.ts';
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
  /** The includes that led there, when they lead beyond the place. */
  readonly chain?: string | undefined;
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

/** Told with their own codes in a fragment too: of `!include` itself, of trust, of another file. */
const OWN_CODES: readonly Problem['code'][] = ['ERR0207', 'ERR0208', 'ERR0209', 'ERR0219', 'ERR0220'];

/** An error inside a fragment breaks the fragment: ERR0207, with the error in it. */
const told = (
  { code, message, severity }: Finding,
  { place, chain }: Where,
): Pick<Problem, 'code' | 'message'> => {
  const inside = place === undefined ? undefined : chainOf(place.file);
  const led = chain ?? inside;
  const traced = led === undefined ? message : `${message} (${led})`;
  const own = inside === undefined || severity === 'warning' || OWN_CODES.includes(code);
  return own ? { code, message: traced } : { code: 'ERR0207', message: `${code} ${traced}` };
};

const problemOf = (where: Where, finding: Finding): Problem => {
  const { path, file, place } = where;
  const hint = typeof finding.hint === 'function' ? finding.hint() : finding.hint;
  return {
    ...told(finding, where),
    severity: finding.severity ?? 'error',
    path: escapedLine(path),
    ...(file === undefined ? {} : { file }),
    ...(place === undefined ? {} : located(place)),
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
