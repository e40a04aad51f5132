// An error for people: code and sentence, what to do, what the service printed last, and the errors below it.
import type { Problem } from '../../streams/domain/declared/manifest.ts';
import type { ErrorDocument, ProblemDocument } from '../../streams/wire/documents.ts';
import { evidenceRows } from './evidence-rows.ts';
import { harmless, paintOf, type Paint } from './paint.ts';
import { renderProblems } from './problems.ts';

export interface ErrorLook {
  readonly color: boolean;
  /** All evidence, not only its end. */
  readonly verbose: boolean;
  /** A line of a manifest, for the caret; `undefined` where it cannot be had. */
  readonly sourceOf: (file: string, line: number) => string | undefined;
}

const heading = (error: ErrorDocument, paint: Paint): string => {
  const { code, message, path, at } = error;
  const thing = path === null || message.includes(path) ? '' : `${path}: `;
  const place = at === null || message.includes(at) ? '' : ` (${at})`;
  return `${paint('red', code)} ${harmless(`${thing}${message}${place}`)}`;
};

const problemOf = (
  { path, code, severity, message, ...place }: ProblemDocument,
  look: ErrorLook,
): Problem => {
  const { file, line, column, hint } = place;
  const source = file === null || line === null ? undefined : look.sourceOf(file, line);
  return {
    code,
    severity,
    path: harmless(path),
    message: harmless(message),
    ...(file === null ? {} : { file }),
    ...(line === null ? {} : { line }),
    ...(column === null ? {} : { column }),
    ...(hint === null ? {} : { hint: harmless(hint) }),
    ...(source === undefined ? {} : { source }),
  };
};

const indent = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`);

const problemLines = ({ problems = [] }: ErrorDocument, look: ErrorLook): readonly string[] => {
  const shown = problems.map((problem) => problemOf(problem, look));
  return shown.length === 0 ? [] : renderProblems(shown, look).trimEnd().split('\n');
};

const evidenceLines = ({ evidence = [] }: ErrorDocument, look: ErrorLook): readonly string[] => {
  const paint = paintOf(look.color);
  return look.verbose
    ? evidence.map((line) => paint('dim', `| ${harmless(line)}`))
    : evidenceRows(evidence).map((row) => paint('dim', row));
};

/** The code of a manifest's error is its first problem's, and its problems speak for themselves. */
const titleLines = (error: ErrorDocument, look: ErrorLook): readonly string[] =>
  error.problems?.some(({ code, severity }) => code === error.code && severity === 'error') === true
    ? []
    : [heading(error, paintOf(look.color))];

/** What to do next; where errors or problems are below it, they say so themselves. */
const hintLines = (
  { hint, errors = [], problems = [] }: ErrorDocument,
  look: ErrorLook,
): readonly string[] =>
  hint === null || errors.length + problems.length > 0 ? [] : [paintOf(look.color)('cyan', harmless(hint))];

/** The page, one string per line. */
export const errorLines = (error: ErrorDocument, look: ErrorLook): readonly string[] => [
  ...titleLines(error, look),
  ...indent(evidenceLines(error, look)),
  ...indent(hintLines(error, look)),
  ...(error.errors ?? []).flatMap((inner) => indent(errorLines(inner, look))),
  ...problemLines(error, look),
];
