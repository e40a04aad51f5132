// Formats an error as text: warnings, code and sentence, the service's last output, what to do, contained
// errors.
import { evidenceRows } from './page-rows.ts';
import { pasted, type Whose } from '../pasteable-hints.ts';
import { renderProblems } from '../problems.ts';
import type { Problem } from '../../../streams/domain/declared/manifest.ts';
import { isOfService } from '../../../streams/domain/errors/error.ts';
import { shownLine, shownText } from '../../../streams/views/words/foreign-text.ts';
import { type Paint, paintOf } from '../../../streams/views/words/paint.ts';
import type { ErrorDocument, ProblemDocument } from '../../../streams/wire/documents/basic-documents.ts';

/** Returns lines of the form `warning: …`, yellow if colours are on. */
export const warningLines = (warnings: readonly string[], color: boolean): readonly string[] => {
  const paint = paintOf(color);
  return warnings.map((warning) => paint('yellow', `warning: ${shownLine(warning)}`));
};

export interface ErrorLook extends Whose {
  readonly color: boolean;
  /** True if all evidence is shown; false if only its most important lines are shown. */
  readonly verbose: boolean;
  /** Returns a line of a manifest, to print above the caret; `undefined` if it is not available. */
  readonly sourceOf: (file: string, line: number) => string | undefined;
}

const heading = (error: ErrorDocument, paint: Paint): string => {
  const { code, message, path, at } = error;
  const thing = path === null || message.includes(path) ? '' : `${path}: `;
  const place = at === null || message.includes(at) ? '' : ` (${at})`;
  return `${paint('red', code)} ${shownLine(`${thing}${message}${place}`)}`;
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
    path,
    message,
    ...(file === null ? {} : { file }),
    ...(line === null ? {} : { line }),
    ...(column === null ? {} : { column }),
    ...(hint === null ? {} : { hint }),
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
    ? evidence.map((line) => paint('dim', `| ${shownText(line)}`))
    : evidenceRows(evidence).map((row) => paint('dim', row));
};

/** Returns the heading. Returns nothing if a problem of the manifest with the same code is printed below. */
const titleLines = (error: ErrorDocument, look: ErrorLook): readonly string[] =>
  error.problems?.some(({ code, severity }) => code === error.code && severity === 'error') === true
    ? []
    : [heading(error, paintOf(look.color))];

/** Errors with a hint about the whole manifest. This hint is printed even if problems are printed below. */
const HINTED_BESIDE_PROBLEMS: ReadonlySet<string> = new Set(['ERR0301']);

/**
 * Returns the hint of the error. Returns nothing if contained errors or problems are printed below, because
 * each of them is printed with its own hint.
 */
const hintLines = (
  { code, hint, errors = [], problems = [] }: ErrorDocument,
  look: ErrorLook,
): readonly string[] =>
  hint === null || (errors.length + problems.length > 0 && !HINTED_BESIDE_PROBLEMS.has(code))
    ? []
    : [paintOf(look.color)('cyan', pasted(shownLine(hint), look))];

/** Maximum number of services that are named in the suggested commands. */
const MOST_NAMED = 5;

const servicesIn = ({ code, path, errors = [] }: ErrorDocument): readonly string[] => [
  ...(isOfService(code) && path !== null ? [path] : []),
  ...errors.flatMap(servicesIn),
];

/** Returns a line with commands that show more about the failed services. */
const moreLines = (error: ErrorDocument, look: ErrorLook): readonly string[] => {
  const names = [...new Set(servicesIn(error))].slice(0, MOST_NAMED).join(' ');
  if (names === '') return [];
  const logs = `sup logs ${names} -n 50`;
  // If the hint of the error is already this command, the command is not printed a second time.
  const more = error.hint === logs ? '' : `; ${logs}`;
  return [paintOf(look.color)('cyan', pasted(`more: sup why ${names}${more}`, look))];
};

/**
 * Maximum number of errors with the same reason that are shown in full. If there is only one error more, it
 * is shown too.
 */
const MOST_ALIKE = 3;

/** Returns code and sentence without the name of the service, to group equal reasons. */
const kindOf = ({ code, message, path }: ErrorDocument): string => {
  const name = `${path ?? ''}: `;
  return `${code} ${message.startsWith(name) ? message.slice(name.length) : message}`;
};

/** Groups errors with the same reason. The groups are in the order of their first errors. */
const byKind = (errors: readonly ErrorDocument[]): readonly (readonly ErrorDocument[])[] => {
  const kinds = new Map<string, ErrorDocument[]>();
  for (const error of errors) {
    const alike = kinds.get(kindOf(error));
    if (alike === undefined) kinds.set(kindOf(error), [error]);
    else alike.push(error);
  }
  return [...kinds.values()];
};

/** Returns the lines of the contained errors. Of many errors with the same reason only some are shown. */
const innerLines = ({ errors = [] }: ErrorDocument, look: ErrorLook): readonly string[] =>
  byKind(errors).flatMap((alike) => {
    const isLong = !look.verbose && alike.length > MOST_ALIKE + 1;
    const shown = isLong ? alike.slice(0, MOST_ALIKE) : alike;
    const more = isLong
      ? [`  … and ${alike.length - MOST_ALIKE} more like these (all of them: --verbose)`]
      : [];
    return [...shown.flatMap((inner) => indent(pageLines(inner, look))), ...more];
  });

const pageLines = (error: ErrorDocument, look: ErrorLook): readonly string[] => [
  ...titleLines(error, look),
  ...indent(evidenceLines(error, look)),
  ...indent(hintLines(error, look)),
  ...innerLines(error, look),
  ...problemLines(error, look),
];

/** Returns the error as text, one string per line. */
export const errorLines = (error: ErrorDocument, look: ErrorLook): readonly string[] => [
  ...pageLines(error, look),
  ...moreLines(error, look),
];
