// Reads `version` first, because an unknown version gives the other keys an unknown meaning (ERR0212;
// `docs/manifest.md`, "Top level"). Files are included and variables expanded only after that.
import { isAlias, isMap, isScalar, isSeq, type Scalar } from 'yaml';
import type { SourceFile } from '../read/node.ts';
import { printable, quoted, type ProblemReport } from '../check/problem-report.ts';
import type { Decoder } from './shapes/decoder.ts';

export type SchemaVersion = 2 | 3;

const VERSIONS: readonly SchemaVersion[] = [2, 3];
const HINT = 'to convert a version 1 manifest: sup migrate';

/** Matches a version that is written as text. `2.0` is accepted, because YAML reads the number `2.0` as 2. */
const TEXT = /^([23])(?:\.0)?$/;

const versionIn = (value: unknown): SchemaVersion | undefined => {
  const written = typeof value === 'string' ? TEXT.exec(value)?.[1] : String(value);
  return VERSIONS.find((known) => String(known) === written);
};

/** True for a scalar without a tag of its own. `!include` has a tag, so it cannot give the version. */
const isLiteral = (node: unknown): boolean => isScalar(node) && node.tag?.startsWith('!') !== true;

const shownScalar = ({ value, source = '', tag = '' }: Scalar): string => {
  if (tag.startsWith('!')) return printable(`${tag} ${source}`);
  if (typeof value === 'string') return quoted(value);
  return value === null ? 'nothing' : printable(source);
};

const shown = (node: unknown): string => {
  if (isScalar(node)) return shownScalar(node);
  if (isAlias(node)) return 'an alias';
  if (isMap(node)) return 'a map';
  return isSeq(node) ? 'a list' : 'nothing';
};

const offsetOf = (node: unknown, otherwise = 0): number =>
  isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? (node.range?.[0] ?? otherwise) : otherwise;

/**
 * Returns the schema version. If the key is missing, reports this and returns 2. If the version is unknown,
 * reports this and returns `undefined`, because nothing else can be read.
 */
export const readVersion = (
  top: unknown,
  file: SourceFile,
  report: ProblemReport,
): SchemaVersion | undefined => {
  const pair = isMap(top) ? top.items.find(({ key }) => isScalar(key) && key.value === 'version') : undefined;
  const found = isLiteral(pair?.value) && isScalar(pair?.value) ? versionIn(pair.value.value) : undefined;
  if (found !== undefined) return found;
  if (pair === undefined) {
    const message = 'missing key "version" (it must be in this file, not in an include)';
    const place = { file, offset: offsetOf(top) };
    report.add({ path: 'version', place }, { code: 'ERR0213', message, hint: 'write version: "2"' });
    return 2;
  }
  const place = { file, offset: offsetOf(pair.value, offsetOf(pair.key)) };
  const message = `${shown(pair.value)} is not a supported version; supported are 2 and 3`;
  report.add({ path: 'version', place }, { code: 'ERR0212', message, hint: HINT });
  return undefined;
};

/** Decodes the key `version`. `readVersion` has checked its value before. */
export const version: Decoder<SchemaVersion> = {
  label: '`2`, `3`',
  schema: () => ({ enum: VERSIONS.flatMap((known) => [known, String(known), `${known}.0`]) }),
  decode: ({ node }) => (node.tag === 'scalar' ? versionIn(node.value) : undefined) ?? 2,
};
