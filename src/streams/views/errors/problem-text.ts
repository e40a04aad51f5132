// A manifest's problems for programs (`sup.problems/1`).
import type { Problem } from '../../domain/declared/manifest.ts';
import type { ProblemDocument } from '../../wire/documents/documents.ts';

/** A problem with every key; unknown values are `null`. */
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

/** `shop.yaml:14:16`, or the part that is known. */
export const placeText = ({ file, line, column }: Problem): string | null => {
  if (file === undefined) return null;
  return [file, line, column].filter((part) => part !== undefined).join(':');
};
