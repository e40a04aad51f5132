// A manifest's problems as machines are shown them (`sup.problems/1`).
import type { Problem } from '../../domain/declared/manifest.ts';
import type { ProblemDocument } from '../../wire/documents/documents.ts';

/** What is not known is `null`: every problem has every key. */
export const problemDocument = (problem: Problem): ProblemDocument => ({
  code: problem.code,
  severity: problem.severity,
  path: problem.path,
  file: problem.file ?? null,
  line: problem.line ?? null,
  column: problem.column ?? null,
  message: problem.message,
  hint: problem.hint ?? null,
});

/** `shop.yaml:14:16`, as far as it is known. */
export const placeText = ({ file, line, column }: Problem): string | null => {
  if (file === undefined) return null;
  return [file, line, column].filter((part) => part !== undefined).join(':');
};
