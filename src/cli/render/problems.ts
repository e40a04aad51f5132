// Formats the problems of a manifest: as text (source line with a caret), and as a document
// (`sup.problems/1`; `docs/commands.md`, "Documents").
import type { Problem } from '../../streams/domain/declared/manifest.ts';
import { dottedLine, shownLine } from '../../streams/views/words/foreign-text.ts';
import { paintOf, type Paint } from '../../streams/views/words/paint.ts';
import { problemDocument } from '../../streams/views/errors/error-text.ts';
import type { ProblemsDocument } from '../../streams/wire/documents/basic-documents.ts';

const WIDEST = 120;

/** Returns the part of a long line around the caret, and the caret's indent, which keeps the line's tabs. */
const excerpt = (source: string, column: number): { readonly line: string; readonly indent: string } => {
  const start = column <= WIDEST - 20 ? 0 : column - 60;
  const line = dottedLine(source.slice(start, start + WIDEST));
  return { line, indent: line.slice(0, column - 1 - start).replace(/[^\t]/g, ' ') };
};

const at = ({ file, line, column }: Problem): string | undefined =>
  file === undefined ? undefined : [file, line, column].filter((part) => part !== undefined).join(':');

const caretLines = (problem: Problem, paint: Paint): readonly string[] => {
  const { source, line, column } = problem;
  if (source === undefined || line === undefined || column === undefined) return [];
  const gutter = `${line} | `;
  const shown = excerpt(source, column);
  return [
    `  ${paint('dim', gutter)}${shown.line}`,
    `  ${' '.repeat(gutter.length)}${shown.indent}${paint('red', '^')}`,
  ];
};

const renderProblem = (problem: Problem, paint: Paint): string => {
  const { code, severity, path, message, hint } = problem;
  const word = severity === 'error' ? paint('red', `error ${code}`) : paint('yellow', `warning ${code}`);
  const where = at(problem);
  return [
    `${word} ${path === '' ? '' : `${shownLine(path)}: `}${shownLine(message)}`,
    ...(where === undefined ? [] : [paint('dim', `  at ${shownLine(where)}`)]),
    ...caretLines(problem, paint),
    ...(hint === undefined ? [] : [`  hint: ${shownLine(hint)}`]),
  ].join('\n');
};

/** Returns one paragraph for each problem, with a newline at the end; `''` if there are none. */
export const renderProblems = (
  problems: readonly Problem[],
  { color }: { readonly color: boolean },
): string => problems.map((problem) => `${renderProblem(problem, paintOf(color))}\n`).join('\n');

/** Returns the document `sup.problems/1`. In it, the manifest is valid if no problem is an error. */
export const problemsDocument = (
  problems: readonly Problem[],
  notes: readonly string[] = [],
): ProblemsDocument => ({
  schema: 'sup.problems/1',
  valid: problems.every(({ severity }) => severity !== 'error'),
  problems: problems.map(problemDocument),
  notes,
});
