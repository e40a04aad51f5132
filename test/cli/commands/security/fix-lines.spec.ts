import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { loadManifest } from '../../../../src/manifest/load.ts';
import type { ServiceSpec } from '../../../../src/streams/domain/declared/spec.ts';
import { SECURITY_CHECKS } from '../../../../src/streams/views/security/security-checks.ts';
import {
  scoreOf,
  securityRows,
  type SecurityRow,
} from '../../../../src/streams/views/security/security-score.ts';

const ROOT = { own: { uid: 0, name: 'root' }, privileged: true } as const;
const ME = { own: { uid: 1000, name: 'me' }, privileged: false } as const;
const OPEN = ['umask: "0022"', 'env: { vars: { DB_PASSWORD: hush } }'];

const keyOf = (line: string): string => line.slice(0, line.indexOf(':'));

/** Returns the service `web` with these lines, as a supervisor with `--sys` reads it. */
const declared = (version: 2 | 3, ...lines: readonly string[]): ServiceSpec => {
  const own = ['exec: ["true"]', ...lines].map((line) => `    ${line}\n`).join('');
  const text = `version: "${version}"\nservices:\n  web:\n${own}`;
  const { manifest, problems } = loadManifest('/shop/sup.yaml', {
    ...{ environment: {}, uid: 1000, sys: false, isForPrivileged: true },
    given: { path: '/shop/sup.yaml', bytes: new TextEncoder().encode(text) },
  });
  const [spec] = manifest?.services ?? [];
  if (spec === undefined) throw new Error(`${text}\n${JSON.stringify(problems)}`);
  return spec;
};

const rowOf = (rows: readonly SecurityRow[], id: string): SecurityRow => {
  const found = rows.find(({ check }) => check.id === id);
  if (found === undefined) throw new Error(id);
  return found;
};

/** Returns the lines of an open service with this line in the place of one with the same key. */
const withLine = (line: string): readonly string[] => [
  ...OPEN.filter((one) => keyOf(one) !== keyOf(line)),
  line,
];

describe.each([2, 3] as const)('the fixes of sup security in a manifest of version %i', (version) => {
  it.each(SECURITY_CHECKS.map(({ id }) => [id] as const))(
    `the line that sup security names for %s closes it in version ${version}`,
    (id) => {
      const before = rowOf(securityRows(declared(version, ...OPEN), ROOT), id);
      expect(before.openness).toBeGreaterThan(0);
      const after = securityRows(declared(version, ...withLine(before.fix)), ROOT);
      expect(rowOf(after, id).openness).toBe(0);
    },
  );
});

describe('fixes that depend on what is declared', () => {
  it.each([
    ['root_group', ['user: www-data', 'group: root'], 'group: www-data'],
    ['root_group', ['user: www-data', 'supplementary_groups: [root]'], 'supplementary_groups: []'],
    ['control', ['user: www-data', 'control: true'], 'control: false'],
    [
      'protect_home',
      ['isolation: { protect: { tmp: private } }'],
      'isolation: { protect: { home: hidden } }',
    ],
  ])('%s of a service with %j is closed by %s', (id, lines, fix) => {
    const row = rowOf(securityRows(declared(3, ...lines), ROOT), id);
    expect(row.fix).toBe(fix);
    const others = lines.filter((line) => keyOf(line) !== keyOf(fix));
    expect(rowOf(securityRows(declared(3, ...others, fix), ROOT), id).openness).toBe(0);
  });

  it('every fix is one line that YAML reads as one key of a service', () => {
    for (const { fix } of securityRows(declared(3), ROOT)) {
      expect(fix).not.toContain('\n');
      expect(Object.keys(parseDocument(fix).toJS() as object)).toHaveLength(1);
    }
  });
});

describe('the score of a manifest', () => {
  const scoreIn = (version: 2 | 3, ...lines: readonly string[]): number =>
    scoreOf(securityRows(declared(version, ...lines), ROOT));

  it('a service of root without any confinement has the score 10', () => {
    expect(scoreIn(2)).toBe(10);
    expect(scoreIn(3, ...OPEN)).toBeGreaterThan(9.5);
  });

  it('protect: strict with a user has a score below 2 in version 3', () => {
    expect(scoreIn(3, 'user: www-data', 'isolation: { protect: strict }')).toBeLessThan(2);
  });

  it('a secret counts only if there is one: as a variable it is open, in a file it is closed', () => {
    const opennessOf = (...lines: readonly string[]) =>
      rowOf(securityRows(declared(3, ...lines), ROOT), 'secrets').openness;
    expect(opennessOf('env: { vars: { PORT: 8080, TOKEN: "" } }')).toBeUndefined();
    expect(opennessOf('env: { vars: { API_TOKEN: hush } }')).toBe(1);
    expect(opennessOf('env: { secrets: { API_TOKEN: { file: token } } }')).toBe(0);
    expect(opennessOf('credentials: { token: { file: token } }')).toBe(0);
  });

  it.each([
    ['{ ro_paths: [/usr] }', 0],
    ['{ ro_paths: [/], rw_paths: [/dev] }', 0.5],
    ['{ ro_paths: [/usr], rw_paths: [/] }', 1],
  ])('landlock: %s has the openness %d', (landlock, openness) => {
    const rows = securityRows(declared(3, `isolation: { landlock: ${landlock} }`), ROOT);
    expect(rowOf(rows, 'landlock').openness).toBe(openness);
  });

  it('all fixes together give the score 0', () => {
    const isolation =
      'isolation: { protect: strict, seccomp: baseline, landlock: { ro_paths: [/usr] }, network: true, pid: true, user: true }';
    const all = ['user: www-data', isolation, 'env: { clean: true }', 'umask: "0027"'];
    expect(scoreIn(3, ...all)).toBe(0);
  });

  it('each step of confinement lowers the score', () => {
    const scores = [
      scoreIn(2),
      scoreIn(2, 'user: www-data'),
      scoreIn(3, 'user: www-data'),
      scoreIn(3, 'user: www-data', 'isolation: { protect: full }'),
      scoreIn(3, 'user: www-data', 'isolation: { protect: strict }'),
      scoreIn(3, 'user: www-data', 'isolation: { protect: strict, seccomp: baseline }'),
    ];
    expect(scores).toEqual([...new Set(scores)].toSorted((one, other) => other - one));
  });

  it('keys that need --sys do not lower the score of a supervisor without it', () => {
    const lines = ['user: www-data', 'capabilities: []', 'isolation: { protect: strict, network: true }'];
    const rows = securityRows(declared(2, ...lines), ME);
    expect(scoreOf(rows)).toBeGreaterThan(5);
    expect(rowOf(rows, 'protect_home')).toMatchObject({ declared: 0, openness: 1 });
  });
});
