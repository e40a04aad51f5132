// `version` is read first, alone: what another schema means by the other keys is not ours to guess (ERR0212;
// `docs/manifest.md`, "Top level").
import { childOf, type Node } from '../read/node.ts';
import { shown } from '../check/quote.ts';
import type { Report } from '../check/report.ts';
import type { Decoder } from './shapes/decoder.ts';

export type SchemaVersion = 2 | 3;

const VERSIONS: readonly SchemaVersion[] = [2, 3];
const HINT = 'sup migrate converts a version 1 manifest';

const versionOf = (node: Node): SchemaVersion | undefined =>
  node.tag === 'scalar'
    ? VERSIONS.find((known) => node.value === known || node.value === String(known))
    : undefined;

/** The schema of a manifest; `undefined`: nothing else in it can be read. */
export const readVersion = (root: Node, report: Report): SchemaVersion | undefined => {
  const entry = childOf(root, 'version');
  if (entry === undefined || entry.keyAt.file.from !== undefined) {
    const message = 'the key "version" is missing: the manifest itself declares it';
    report.add({ path: 'version', place: root }, { code: 'ERR0213', message, hint: 'write version: "2"' });
    return 2;
  }
  const found = versionOf(entry.value);
  if (found !== undefined || entry.value.tag === 'broken') return found;
  const message = `${shown(entry.value)} is not a supported version; supported are 2 and 3`;
  report.add({ path: 'version', place: entry.value }, { code: 'ERR0212', message, hint: HINT });
  return undefined;
};

/** The field as the table declares it; it has been checked by `readVersion`. */
export const version: Decoder<SchemaVersion> = {
  label: '`2`, `3`',
  schema: () => ({ enum: VERSIONS.flatMap((known) => [known, String(known)]) }),
  decode: ({ node }) => versionOf(node) ?? 2,
};
