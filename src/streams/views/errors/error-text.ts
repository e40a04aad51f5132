// Errors for people and programs (`docs/commands.md`, "Documents"): a sentence with the thing, the rule and
// the value; the thing itself; its place in a file; and what to do next.
import type { Evidence, SupError } from '../../domain/errors/error.ts';
import { shownId } from '../../domain/ids.ts';
import { leading } from '../../domain/errors/manifest-error.ts';
import type { Problem } from '../../domain/declared/manifest.ts';
import type { ErrorDocument } from '../../wire/documents/documents.ts';
import { errorHint } from './error-hint.ts';
import { errorSentence, isManifestError } from '../../domain/errors/error-sentence.ts';
import { placeText, problemDocument } from './problem-text.ts';

/** The error as `--json` and the control channel show it; `path` and `at` are those of its first problem. */
export const errorDocument = (error: SupError): ErrorDocument => {
  const problems = problemsOf(error);
  const first = leading(problems);
  return {
    code: error.code,
    message: 'service' in error ? `${shownId(error.service)}: ${errorSentence(error)}` : errorSentence(error),
    path: pathOf(error),
    at: first === undefined ? null : placeText(first),
    hint: errorHint(error),
    ...('failures' in error ? { errors: error.failures.map(errorDocument) } : {}),
    ...(problems.length > 0 ? { problems: problems.map(problemDocument) } : {}),
    ...evidenceOf(error),
  };
};

const problemsOf = (error: SupError): readonly Problem[] => ('problems' in error ? error.problems : []);

/** True if it is about a command that the user requested: the service is not the cause. */
const isAsked = (error: SupError): boolean => error.code === 'ERR0113' && error.command !== undefined;

/** What the error is about: a service, a key of a manifest, a file, or a name from the command line. */
const pathOf = (error: SupError): string | null => {
  if (isManifestError(error)) return leading(error.problems)?.path ?? error.manifest;
  if ('service' in error) return isAsked(error) ? null : shownId(error.service);
  if ('file' in error) return error.file;
  return 'name' in error ? error.name : null;
};

/** The last output of the run that the error is about. */
export const lastEvidence = (error: SupError): Evidence => {
  if ('evidence' in error) return error.evidence;
  return 'last' in error ? lastEvidence(error.last) : [];
};

const evidenceOf = (error: SupError): { readonly evidence?: Evidence } => {
  const evidence = lastEvidence(error);
  return evidence.length > 0 ? { evidence } : {};
};
