// The pages of the formats against the tables that import and export use.
import { describe, expect, it } from 'vitest';
import { EXPORT_FORMATS } from '../../src/exchange/export-formats.ts';
import { IMPORT_FORMATS } from '../../src/exchange/import-formats.ts';
import type { KeyRow, RowDescription } from '../../src/exchange/key-table.ts';
import { deployment } from '../../src/manifest/decode/deployment-object.ts';
import { cron } from '../../src/manifest/decode/cron-object.ts';
import { env } from '../../src/manifest/decode/env-object.ts';
import { logs } from '../../src/manifest/decode/logs-status-metrics.ts';
import { isolation, limits } from '../../src/manifest/decode/privilege-objects.ts';
import { service } from '../../src/manifest/decode/service-object.ts';
import { compareBlock, tableOf } from '../support/docs/block.ts';

const NESTED = { deployment, cron, env, logs, isolation, limits };

/** All keys of a service but its image; those of the larger objects by their own keys. */
const SERVICE_KEYS = Object.keys(service.table.fields).flatMap((key) => {
  if (key === 'x-image') return [];
  const nested = Object.entries(NESTED).find(([name]) => name === key)?.[1];
  return nested === undefined ? [key] : Object.keys(nested.table.fields).map((inner) => `${key}.${inner}`);
});

type AnyRow = RowDescription & Partial<Pick<KeyRow, 'read' | 'write' | 'also'>>;

const code = (keys: readonly string[]): string =>
  keys.length === 0 ? 'none' : keys.map((key) => `\`${key}\``).join(', ');

const fromTable = (rows: readonly AnyRow[]): string =>
  tableOf(
    ['Key', '`sup`', 'Note'],
    rows
      .filter(({ read }) => read !== undefined)
      .map(({ theirs, also = [], ours, note = '' }) => [code([theirs, ...also]), code(ours), note]),
  );

const toTable = (rows: readonly AnyRow[]): string =>
  tableOf(
    ['`sup`', 'Key', 'Note'],
    rows
      .filter(({ write }) => write !== undefined)
      .map(({ theirs, ours, note = '' }) => [code(ours), code([theirs]), note]),
  );

const lostText = (rows: readonly AnyRow[]): string => {
  const written = rows.filter(({ write }) => write !== undefined).flatMap(({ ours }) => ours);
  const isWritten = (key: string): boolean =>
    written.some((ours) => ours === key || ours.startsWith(`${key}.`) || key.startsWith(`${ours}.`));
  return `${code(SERVICE_KEYS.filter((key) => !isWritten(key)))}.`;
};

describe('the pages of formats', () => {
  it.each(IMPORT_FORMATS.map(({ name, rows }) => [name, rows] as const))(
    'docs/from-%s.md has the keys that import reads',
    async (name, rows) => {
      const block = { file: `docs/from-${name}.md`, name: 'keys-from', asIs: true } as const;
      const { written, generated } = await compareBlock(block, fromTable(rows));
      expect(written).toBe(generated);
    },
  );

  it.each(EXPORT_FORMATS.map(({ name, rows }) => [name, rows] as const))(
    'docs/to-%s.md has the keys that export writes, and those that it does not',
    async (name, rows) => {
      const file = `docs/to-${name}.md`;
      const keys = await compareBlock({ file, name: 'keys-to', asIs: true }, toTable(rows));
      expect(keys.written).toBe(keys.generated);
      const lost = await compareBlock({ file, name: 'lost-to', asIs: true }, lostText(rows));
      expect(lost.written).toBe(lost.generated);
    },
  );
});
