// What docs/errors.md shows of each code: cause, next step, and an example as `sup` prints it.
import { errorLines } from '../../../src/cli/render/page/error-page.ts';
import { renderProblems } from '../../../src/cli/render/problems.ts';
import { readLine } from '../../../src/cli/grammar/read-line.ts';
import { CATALOGUE } from '../../../src/streams/domain/errors/catalogue.ts';
import type { ErrorCode, SupError } from '../../../src/streams/domain/errors/error.ts';
import { MANIFEST_CODES, type ManifestCode } from '../../../src/streams/domain/declared/manifest.ts';
import { errorDocument } from '../../../src/streams/views/errors/error-text.ts';
import { Failure } from '../../../src/streams/views/errors/command-failure.ts';
import type { ErrorDocument } from '../../../src/streams/wire/documents/documents.ts';
import { tableOf } from './block.ts';
import { ERROR_EXAMPLES } from './error-examples.ts';
import { manifestExample } from './manifest-errors.ts';
import { linkTo } from './pointers.ts';

const isOfManifest = (code: ErrorCode): code is ManifestCode =>
  MANIFEST_CODES.some((known) => known === code);

const LOOK = { color: false, verbose: false, sys: false, sourceOf: () => undefined };

/** Command lines of which the program says what is wrong with them. */
const LINES: Readonly<Partial<Record<ErrorCode, readonly string[]>>> = {
  ERR0200: ['strat'],
  ERR0204: ['purge', '--all', '--logs'],
};

const refusalOf = (line: readonly string[]): ErrorDocument => {
  try {
    readLine(line);
  } catch (error) {
    if (error instanceof Failure) return error.document;
    throw error;
  }
  throw new Error(`sup ${line.join(' ')} is a good line`);
};

/** The problem of the one registered manifest that does not load. */
const withProblem = (error: SupError): SupError => {
  const problem = manifestExample('ERR0213');
  return error.code === 'ERR0301' ? { ...error, problems: [problem] } : error;
};

const pageOf = (code: Exclude<ErrorCode, ManifestCode>): readonly string[] => {
  const line = LINES[code];
  if (line !== undefined) return errorLines(refusalOf(line), LOOK);
  return errorLines(errorDocument(withProblem(ERROR_EXAMPLES[code])), LOOK);
};

/** The example of a code, a line each. */
export const exampleOf = (code: ErrorCode): readonly string[] => {
  if (!isOfManifest(code)) return pageOf(code);
  return renderProblems([manifestExample(code)], LOOK)
    .trimEnd()
    .split('\n');
};

/** All codes with their titles, as links to their sections. */
export const codesTable = (): string =>
  tableOf(
    ['Code', 'Meaning'],
    Object.entries(CATALOGUE).map(([code, { title }]) => [
      linkTo({ page: 'docs/errors.md', headings: [code] }).replace('(errors.md', '('),
      title,
    ]),
  );

/** The part of a section that follows from the code. */
export const errorSection = (code: ErrorCode): string => {
  const { cause, next } = CATALOGUE[code];
  return [`- Cause: ${cause}.`, `- Next step: ${next}.`, '', '```', ...exampleOf(code), '```'].join('\n');
};
