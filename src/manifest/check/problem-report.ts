// Collects the problems of one load, so that all are reported together. A mistake in a manifest never throws
// an error. Wrong values are shown without control characters, and shortened.
import { chainOf, type Node, type SourcePlace, positionOf } from '../read/node.ts';
import type { Problem } from '../../streams/domain/declared/manifest.ts';
import { escapedLine } from '../../streams/views/words/foreign-text.ts';

const LONGEST = 60;

/** Returns the text on one line, shortened and without control characters. */
export const printable = (text: string): string =>
  escapedLine(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

export const quoted = (text: string): string => `"${printable(text)}"`;

/** Returns the value of a node as shown in messages: `"fast"`, `12`, `a map`, `a list`, `nothing`. */
export const shown = (node: Node): string => {
  if (node.tag !== 'scalar') return node.tag === 'list' ? 'a list' : 'a map';
  if (node.value === undefined) return 'nothing';
  return typeof node.value === 'string' ? quoted(node.value) : printable(node.source);
};

/** Returns the noun with its article: `a number`, `an absolute path`. */
export const withArticle = (noun: string): string => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;

/** A problem of a manifest, without the place where it is. */
export interface Mistake {
  readonly code: Problem['code'];
  /** The wrong value and the rule that it breaks. */
  readonly message: string;
  /**
   * Advice for the user, or a function that makes it. The function is called only for problems that are kept.
   */
  readonly hint?: string | (() => string | undefined) | undefined;
  readonly severity?: 'warning';
}

/** Where a problem is: its dotted path, and its place in a file if there is one. */
export interface Where {
  readonly path: string;
  /** The path of the file, for a problem that has no place inside the file. */
  readonly file?: string;
  readonly place?: SourcePlace | undefined;
  /** The chain of includes, if the problem is about a file that is included at `place`. */
  readonly chain?: string | undefined;
}

export interface ProblemReport {
  readonly add: (where: Where, finding: Mistake) => void;
  readonly problems: () => readonly Problem[];
  /** True after an error; warnings do not count. */
  readonly failed: () => boolean;
}

/** The most problems of one load that are kept. Further problems are only counted. */
const MOST_PROBLEMS = 500;

const located = (place: SourcePlace): Partial<Problem> => ({ file: place.file.path, ...positionOf(place) });

/**
 * The codes that an error in an included file keeps. Errors with these codes are about `!include` itself,
 * about trust, or about another file.
 */
const OWN_CODES: readonly Problem['code'][] = ['ERR0207', 'ERR0208', 'ERR0209', 'ERR0219', 'ERR0220'];

/**
 * Returns code and message. An error in an included file gets ERR0207; its message begins with its own code.
 */
const told = (
  { code, message, severity }: Mistake,
  { place, chain }: Where,
): Pick<Problem, 'code' | 'message'> => {
  const inside = place === undefined ? undefined : chainOf(place.file);
  const led = chain ?? inside;
  const traced = led === undefined ? message : `${message} (${led})`;
  const own = inside === undefined || severity === 'warning' || OWN_CODES.includes(code);
  return own ? { code, message: traced } : { code: 'ERR0207', message: `${code} ${traced}` };
};

const problemOf = (where: Where, finding: Mistake): Problem => {
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

/** Sorts problems by file, in the order of first reports, then by position. */
const inOrder = (problems: readonly Problem[]): readonly Problem[] => {
  const files = [...new Set(problems.map(({ file }) => file))];
  return [...problems].sort(
    (one, other) =>
      files.indexOf(one.file) - files.indexOf(other.file) ||
      (one.line ?? 0) - (other.line ?? 0) ||
      (one.column ?? 0) - (other.column ?? 0),
  );
};

export const startReport = (): ProblemReport => {
  const found: Problem[] = [];
  let left = 0;
  let failed = false;
  const add = (where: Where, finding: Mistake): void => {
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
