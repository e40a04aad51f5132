// Migrates a manifest (`sup migrate`) with a singular `project` to `projects` and `version: "2"`. Edits the
// text and keeps its meaning: `!include`, comments, order and quotes stay (`docs/manifest.md`, "Migrating an
// older manifest").
import { isMap, isScalar, type Document, type YAMLMap } from 'yaml';
import type { Problem } from '../../streams/domain/declared/manifest.ts';
import { applyEdits, type Edit, marginAt, moveIntoProjects, newlineOf } from './move-into-projects.ts';
import {
  pairOf,
  singularOf,
  spanOf,
  type MigrationRefusal,
  type ManifestSource,
} from './singular-project.ts';
import { sourceFile } from '../read/node.ts';
import { parseYaml } from '../read/parse.ts';
import { meansTheSame } from './same-meaning.ts';
import { quoted, startReport } from '../check/problem-report.ts';

export type Migration =
  | { readonly ok: true; readonly text: string; readonly changed: boolean }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const CURRENT = ['2', '3', '3.0'];
const LEGACY = '1';
const VERSION = '"2"';

const textOf = (value: unknown): string => {
  if (!isScalar(value)) return '';
  return typeof value.value === 'string' ? value.value : (value.source ?? '');
};

/**
 * True for a version 2 that is not written as the text "2", and so must be rewritten. Version 3 is not
 * rewritten, because it is stricter.
 */
const isTwo = (value: unknown): boolean => isScalar(value) && (value.value === 2 || value.value === '2.0');

const versionEdits = ({ text, root }: ManifestSource): readonly Edit[] | MigrationRefusal => {
  const pair = pairOf(root, 'version');
  if (pair === undefined) {
    const [start] = spanOf(root) ?? [0];
    const margin = marginAt(text, start);
    const at = start - margin.length;
    return [{ start: at, end: at, text: `${margin}version: ${VERSION}${newlineOf(text)}` }];
  }
  const written = textOf(pair.value);
  const [start, end] = spanOf(pair.value) ?? [pair.end, pair.end];
  if (written === LEGACY || isTwo(pair.value)) return [{ start, end, text: VERSION }];
  if (CURRENT.includes(written)) return [];
  const message = `${quoted(written)} is not a version that can be migrated`;
  return { offset: start, code: 'ERR0212', message };
};

const rootOf = (document: Document.Parsed | undefined): MigrationRefusal | YAMLMap => {
  const root = document?.contents;
  if (!isMap(root)) return { offset: 0, code: 'ERR0213', message: 'the manifest is not a map' };
  if (root.flow !== true) return root;
  const message = 'the top level is written in braces; migrate needs one key a line';
  return { offset: root.range[0], code: 'ERR0213', message };
};

const editsOf = (source: ManifestSource): readonly Edit[] | MigrationRefusal => {
  const version = versionEdits(source);
  if ('code' in version) return version;
  const singular = singularOf(source);
  if (singular === undefined) return version;
  return 'code' in singular ? singular : [...version, ...moveIntoProjects(source, singular)];
};

const refused = (path: string, text: string, refusals: readonly MigrationRefusal[]): Migration => {
  const report = startReport();
  for (const { offset, ...finding } of refusals)
    report.add({ path: '', place: { file: sourceFile(path, text), offset } }, finding);
  return { ok: false, problems: report.problems() };
};

const UNUSUAL = 'the manifest is laid out in a way that migrate cannot keep; convert it by hand';

/**
 * True if the migrated text can be parsed and means the same as before. If false, the migration is refused.
 */
const isMeant = (text: string, before: YAMLMap): boolean => {
  const parsed = parseYaml(text);
  if (parsed.tag === 'faulty') return false;
  const root = rootOf(parsed.document);
  if ('code' in root) return false;
  const version = pairOf(root, 'version');
  return CURRENT.includes(textOf(version?.value)) && meansTheSame(before, root);
};

/** Migrates the text of a manifest, if it needs a migration. `path` is used only in problems. */
export const migrate = (text: string, path: string): Migration => {
  const parsed = parseYaml(text);
  if (parsed.tag === 'faulty') return refused(path, text, parsed.faults);
  const root = rootOf(parsed.document);
  if ('code' in root) return refused(path, text, [root]);
  const edits = editsOf({ text, root });
  if ('code' in edits) return refused(path, text, [edits]);
  const result = applyEdits(text, edits);
  return isMeant(result, root)
    ? { ok: true, text: result, changed: edits.length > 0 }
    : refused(path, text, [{ offset: 0, code: 'ERR0213', message: UNUSUAL }]);
};
