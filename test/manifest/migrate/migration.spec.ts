import { describe, expect, it } from 'vitest';
import { migrate } from '../../../src/manifest/migrate/migration.ts';
import { loadFiles, loadText } from '../loading.ts';

const migrated = (text: string): string => {
  const result = migrate(text, 'sup.yaml');
  if (!result.ok) throw new Error(result.problems.map(({ message }) => message).join());
  return result.text;
};

const LEGACY = `# The shop.
version: "1"   # legacy
project: # the one
  id: 'shop' # durable
  name: "The \\"Shop\\""

env:
  vars: { A: a }

# What runs.
services:
  # the web server
  web: &web
    command: |
      echo one
        two
    env: !include env.yaml

  db: { <<: *web, skip: true } # inline

logs: { sink: none }
`;

const EXPECTED = `# The shop.
version: "2"   # legacy

env:
  vars: { A: a }

# What runs.
# the one
# durable
projects:
  'shop':
    name: "The \\"Shop\\""
    services:
      # the web server
      web: &web
        command: |
          echo one
            two
        env: !include env.yaml

      db: { <<: *web, skip: true } # inline

logs: { sink: none }
`;

describe('migration of a singular project', () => {
  it('migration keeps comments, order, quoting, anchors, block texts and !include', () => {
    expect(migrated(LEGACY)).toBe(EXPECTED);
  });

  it('migration gives a manifest that loads to the same ids, services and texts', () => {
    const files = { 'env.yaml': 'vars: { B: b }\n' };
    const before = loadFiles({ ...files, 'sup.yaml': LEGACY.replace('"1"', '"2"') }).manifest;
    const { manifest, problems } = loadFiles({ ...files, 'sup.yaml': migrated(LEGACY) });
    expect(problems).toEqual([]);
    const facts = (loaded: typeof manifest) => [
      loaded?.projects.map(({ id, name }) => [id, name]),
      loaded?.services.map(({ id, launch, env, logs }) => [id, launch, env, logs]),
    ];
    expect(facts(manifest)).toEqual(facts(before));
    expect(manifest?.services).toHaveLength(2);
  });

  it.each([
    [
      'project: shop\nservices:\n  w: { command: x }\n',
      'projects:\n  shop:\n    services:\n      w: { command: x }\n',
    ],
    [
      'services:\n  w: { command: x }\nproject: shop',
      'projects:\n  shop:\n    services:\n      w: { command: x }\n',
    ],
    ['project: { id: shop, name: S }\n', 'projects:\n  shop:\n    name: S\n    services: {}\n'],
    ['env: {}\nproject: shop\nservices: {}\n', 'env: {}\nprojects:\n  shop:\n    services: {}\n'],
    ['project: shop\nservices: !include s.yaml', 'projects:\n  shop:\n    services: !include s.yaml\n'],
  ])('migration of %j gives projects', (rest, expected) => {
    expect(migrated(`version: 1\n${rest}`)).toBe(`version: "2"\n${expected}`);
  });

  it('migration keeps the margin of a manifest that is indented as a whole', () => {
    expect(migrated('  project: a\n  services:\n    w: { command: x }\n')).toBe(
      '  version: "2"\n  projects:\n    a:\n      services:\n        w: { command: x }\n',
    );
  });

  it('migration keeps CRLF line ends', () => {
    expect(migrated('project: a\r\nservices:\r\n  w: { command: x }\r\n')).toBe(
      'version: "2"\r\nprojects:\r\n  a:\r\n    services:\r\n      w: { command: x }\r\n',
    );
  });
});

describe('migration of unusual line breaks', () => {
  it.each(['\u2028', '\u2029', '\u0085'])('migration keeps %j inside a text', (character) => {
    const text = `project: a\nservices:\n  w: { command: "x${character}y" }\n`;
    expect(migrated(text)).toContain(`"x${character}y"`);
  });

  it('migration keeps a lone CR inside a text', () => {
    expect(migrated('project: a\nservices:\n  w: { command: "x\ry" }\n')).toContain('"x\ry"');
  });
});

describe('migration of projects or loose services', () => {
  it.each([
    ['version: 1\nprojects: { a: { services: {} } }\n', 'version: "2"\nprojects: { a: { services: {} } }\n'],
    ["version: '1'\nservices: {}\n", 'version: "2"\nservices: {}\n'],
    ['version: 2 # fine\nservices: {}\n', 'version: "2" # fine\nservices: {}\n'],
    ['version: 2.0\nservices: {}\n', 'version: "2"\nservices: {}\n'],
    ['version: "2.0"\nservices: {}\n', 'version: "2"\nservices: {}\n'],
    ['# top\nservices: {}\n', '# top\nversion: "2"\nservices: {}\n'],
  ])('migration of %j changes its version only', (text, expected) => {
    expect(migrated(text)).toBe(expected);
    expect(loadText(expected).problems).toEqual([]);
  });

  it.each(['version: "2"\nservices: {}\n', "version: '2' # fine\n", 'version: 3\nprojects: {}'])(
    'migration of %j changes nothing',
    (text) => {
      expect(migrate(text, 'x')).toEqual({ ok: true, text, changed: false });
    },
  );
});

describe('refused migration', () => {
  it.each([
    ['version: 4\n', 'ERR0212', 1],
    ['version: 1\nproject: !include p.yaml\n', 'ERR0213', 2],
    ['version: 1\nproject: { name: x }\n', 'ERR0213', 2],
    ['version: 1\nproject: a b\n', 'ERR0213', 2],
    ['version: 1\nproject: a\nprojects: {}\n', 'ERR0213', 2],
    ['version: 1\nproject:\n  id: a\n  env: { vars: { A: b } }\n', 'ERR0213', 4],
    ['version: 1\nproject:\n  id: a\n  logs: { max_files: 9 }\n', 'ERR0213', 4],
    ['version: 1\nproject:\n  id: a\n  <<: { name: A }\n', 'ERR0213', 4],
    ['version: 1\nproject:\n  id: a\n  id: b\n', 'ERR0213', 4],
    ['version: 1\nlogs: { sink: &n none }\nproject:\n  id: a\n  name: *n\n', 'ERR0213', 5],
    ['version: 1\nproject:\n  id: a\n  name: !include n.yaml\n', 'ERR0213', 4],
    ['version: 1\nproject:\n  id: &n shop\n  name: My\n', 'ERR0213', 3],
    ['version: 1\nproject:\n  id: shop\n  name: &n My\n', 'ERR0213', 4],
    ['version: 1\nproject: &p { id: shop }\n', 'ERR0213', 2],
    ['version: 1\nproject: &p shop\n', 'ERR0213', 2],
    ['version: 1\nproject: shop\n<<: { services: { a: { command: x } } }\n', 'ERR0213', 3],
    ['{ version: 1, project: a }', 'ERR0213', 1],
    ['- a', 'ERR0213', 1],
    ['version: [', 'ERR0217', 1],
  ])('migration is refused for %j', (text, code, line) => {
    const result = migrate(text, '/x/sup.yaml');
    expect(result.ok ? [] : result.problems).toMatchObject([{ code, line, file: '/x/sup.yaml' }]);
  });
});
