// Errors as documents (`docs/commands.md`, "Documents"): a sentence, the thing that the error is about, the
// place in a file, the next step, and the output that explains the error.
import type { Problem } from '../../domain/declared/manifest.ts';
import { errorSentence, isManifestError } from '../../domain/errors/error-sentence.ts';
import { type Evidence, leading, type SupError } from '../../domain/errors/error.ts';
import { shownId } from '../../domain/ids.ts';
import { errorHint } from './error-hint.ts';
import { documentJson } from '../words/foreign-text.ts';
import type { ErrorDocument, ProblemDocument } from '../../wire/documents/documents.ts';

/**
 * Returns the error as `--json` and the control protocol show it. If a manifest has several problems, `at`
 * and `hint` are about the first error.
 */
export const errorDocument = (error: SupError): ErrorDocument => {
  const problems = problemsOf(error);
  const first = leading(problems);
  return {
    code: error.code,
    message: 'service' in error ? `${shownId(error.service)}: ${errorSentence(error)}` : errorSentence(error),
    path: pathOf(error),
    at: first === undefined ? null : placeText(first),
    hint: errorHint(error),
    ...('liveness' in error ? { liveness: true } : {}),
    ...('failures' in error ? { errors: error.failures.map(errorDocument) } : {}),
    ...(problems.length > 0 ? { problems: problems.map(problemDocument) } : {}),
    ...evidenceOf(error),
  };
};

const problemsOf = (error: SupError): readonly Problem[] => ('problems' in error ? error.problems : []);

/** True if the error is about a command that the user gave, and not about a service. */
const isAsked = (error: SupError): boolean => error.code === 'ERR0113' && error.command !== undefined;

/**
 * Returns the thing that the error is about: a service, a manifest key, a file, or a name from the command
 * line.
 */
const pathOf = (error: SupError): string | null => {
  if (isManifestError(error)) return leading(error.problems)?.path ?? error.manifest;
  if ('service' in error) return isAsked(error) ? null : shownId(error.service);
  if ('file' in error) return error.file;
  return 'name' in error ? error.name : null;
};

/** Returns the last output of the run that the error is about. */
export const lastEvidence = (error: SupError): Evidence => {
  if ('evidence' in error) return error.evidence;
  return 'last' in error ? lastEvidence(error.last) : [];
};

const evidenceOf = (error: SupError): { readonly evidence?: Evidence } => {
  const evidence = lastEvidence(error);
  return evidence.length > 0 ? { evidence } : {};
};

/** Returns the problem as a document. All keys are present, with `null` for an unknown value. */
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

/** Returns the place of the problem, without the parts that are unknown: `shop.yaml:14:16`. */
const placeText = ({ file, line, column }: Problem): string | null => {
  if (file === undefined) return null;
  return [file, line, column].filter((part) => part !== undefined).join(':');
};

/** Returns the error as one line of JSON (`sup.error/1`). */
export const errorJson = (error: ErrorDocument, warnings: readonly string[] = []): string =>
  documentJson({ schema: 'sup.error/1', error, warnings });

// The lines of output that explain the end of a run: the lines around the first line that looks like an
// error, because later errors often follow from it, and the last lines.
const BEFORE = 1;
const AFTER = 3;
const LAST = 5;

const WORDS =
  /error|fatal|panic|exception|traceback|fail(?:ed|ure)|cannot|could not|unable to|refused|denied|not found|already in use|segmentation|out of memory/i;
const ERRNO =
  /\bE(?:ACCES|ADDR|AGAIN|BUSY|CONN|EXIST|HOST|INVAL|ISDIR|[MN]FILE|NO[A-Z]|PERM|PIPE|TIMEDOUT)[A-Z]*\b/;
/** Matches a line which says that there are no errors. */
const NONE = /\b(?:no|0) (?:errors?|failures?)\b|\b(?:errors?|failures?|failed)[:=] ?0\b/i;

const looksBad = (line: string): boolean => (WORDS.test(line) || ERRNO.test(line)) && !NONE.test(line);

/** Returns the lines of output that explain the end of a run, as one or two blocks of lines. */
export const tellingLines = (evidence: Evidence): readonly Evidence[] => {
  const first = evidence.findIndex(looksBad);
  const end = Math.max(0, evidence.length - LAST);
  const from = Math.max(0, first - BEFORE);
  const to = first + AFTER + 1;
  if (first < 0 || from >= end) return [evidence.slice(end)];
  return to >= end ? [evidence.slice(from)] : [evidence.slice(from, to), evidence.slice(end)];
};
