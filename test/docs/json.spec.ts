// docs/json.md and docs/schemas against the program: every document has a schema, and every schema a document.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../src/streams/domain/declared/settings.ts';
import { inspectDocument } from '../../src/streams/views/inspect-document.ts';
import { statusDocument } from '../../src/streams/views/status-document.ts';
import { lookUpIn } from '../../src/streams/views/state-snapshot.ts';
import { STATE_WORDS } from '../../src/streams/wire/documents/documents.ts';
import { expectSchema } from '../scenarios/support/schemas.ts';
import { NOW, serviceIn, TAGS } from '../support/states.ts';

const page = readFileSync('docs/json.md', 'utf8');
const files = readdirSync('docs/schemas').filter((file) => file !== 'common.json');

/** Every `sup.…/1` that the program has a word for. */
const printed = (): ReadonlySet<string> => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const text = sources.map((file) => readFileSync(`src/${file}`, 'utf8')).join('\n');
  return new Set([...text.matchAll(/schema: '(sup\.[a-z-]+\/\d+)'/g)].map(([, name]) => name ?? ''));
};

const supervisor = {
  running: true,
  pid: 1,
  version: 'x',
  since: null,
  process_start: null,
  restarts: null,
  warnings: [],
} as const;

describe('the JSON schemas', () => {
  it('each document has one schema, named on the page', () => {
    const titles = files.map(
      (file) => (JSON.parse(readFileSync(`docs/schemas/${file}`, 'utf8')) as { title: string }).title,
    );
    expect(titles.toSorted()).toEqual([...printed()].toSorted());
    for (const [place, title] of titles.entries())
      expect(page).toMatch(new RegExp(`^\\| \`${title}\` +\\|.*\\(schemas/${files[place] ?? ''}\\)`, 'm'));
  });

  it.each(files)('the schema %s fits its example on the page', (file) => {
    const { title } = JSON.parse(readFileSync(`docs/schemas/${file}`, 'utf8')) as { title: string };
    const [, example = ''] =
      new RegExp(`^### \`${title}\`\n[^]*?\`\`\`json\n([^]*?)\n\`\`\``, 'm').exec(page) ?? [];
    expect(expectSchema(JSON.parse(example) as { schema: string }).schema).toBe(title);
  });

  it('the schemas know each state', () => {
    const common = JSON.parse(readFileSync('docs/schemas/common.json', 'utf8')) as {
      readonly definitions: { readonly state: { readonly enum: readonly string[] } };
    };
    expect(common.definitions.state.enum).toEqual(STATE_WORDS);
  });

  it.each(TAGS)('the schemas fit a service in %s', (tag) => {
    const services = [serviceIn(tag)];
    const around = { services, byId: lookUpIn(services), supervisor, now: NOW };
    expectSchema(statusDocument({ ...around, projects: [] }));
    expectSchema(inspectDocument({ ...around, settings: DEFAULT_SETTINGS, dataDir: '/data' }));
  });

  it('the schemas refuse invalid documents', () => {
    const upgrade = { schema: 'sup.upgrade/1', from: 'x', to: 'y', pid: 1, took_ms: 1 };
    expect(() => expectSchema({ ...upgrade, from: 1, warnings: [] })).toThrow('must be string');
    expect(() => expectSchema(upgrade)).toThrow('must have required property');
    expect(() => expectSchema({ schema: 'sup.nothing/1' })).toThrow('no schema');
  });
});
