import { linkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadManifest } from '../../../src/manifest/load.ts';
import { directoryWith, loadFiles, portsWith, toldOf } from '../loading.ts';

const told = (files: Readonly<Record<string, string>>): readonly string[] =>
  toldOf(loadFiles(files).problems);

describe('!include', () => {
  it('!include works at any node, nested, relative to its own file', () => {
    const { manifest, problems } = loadFiles({
      'sup.yaml':
        'version: "2"\nenv: !include parts/env.yaml\nprojects: { shop: !include parts/shop.yaml }\n',
      'parts/env.yaml': 'vars: { A: a }\n',
      'parts/shop.yaml': 'name: Shop\nservices:\n  web: !include web/web.yaml\n',
      'parts/web/web.yaml': 'exec: !include argv.yaml\nlogs: { sink: !include sink.yaml }\n',
      'parts/web/argv.yaml': '- node\n- server.js\n',
      'parts/web/sink.yaml': 'none\n',
    });
    expect(problems).toEqual([]);
    expect(manifest?.services[0]).toMatchObject({
      id: 'shop/web',
      launch: { argv: ['node', 'server.js'] },
      logs: { sink: 'none' },
      env: { vars: { A: 'a' } },
    });
  });

  it('!include keeps the directory of the manifest for relative paths of a fragment', () => {
    const { manifest } = loadFiles({
      'sup.yaml': 'version: 2\nservices: !include parts/s.yaml',
      'parts/s.yaml': 'web: { command: x, working_dir: app }',
    });
    const web = manifest?.services[0];
    expect(web?.workingDir).toBe(`${web?.directory ?? ''}/app`);
  });

  it('!include gives a problem in a fragment the file, line, column and chain', () => {
    const { problems } = loadFiles({
      'sup.yaml': 'version: 2\nservices:\n  web: !include a.yaml\n',
      'a.yaml': 'command: x\nlogs: !include b.yaml\n',
      'b.yaml': '# comment\nsink: tape\n',
    });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({
      code: 'ERR0207',
      path: 'services.web.logs.sink',
      line: 2,
      column: 7,
    });
    expect(problems[0]?.file).toMatch(/b\.yaml$/);
    expect(problems[0]?.message).toMatch(
      /^ERR0213 "tape" is not one of file, none \(\/.*sup\.yaml:3:17 → \/.*a\.yaml:2:16 → \/.*b\.yaml\)$/,
    );
  });

  it.each([
    [
      'command: x\nbackoff: 1.5s\n',
      /^ERR0207 \S+backoff: ERR0210 "1.5s" .* \(\S+sup\.yaml:3:17 → \S+a\.yaml\)$/,
    ],
    ['command: x\nbogus: 1\n', /^ERR0207 \S+bogus: ERR0211 "bogus" is not a key .*a\.yaml\)$/],
    ['command: "${NOPE}"\n', /^ERR0207 \S+command: ERR0216 .*a\.yaml\)$/],
    ['command: x\ndepends_on: [nobody]\n', /^ERR0207 \S+depends_on\[0\]: ERR0214 .*a\.yaml\)$/],
    ['command: x\ncommand: y\n', /^ERR0207 \S+command: ERR0217 .*a\.yaml\)$/],
    [
      'command: x\nlogs: !include no.yaml\n',
      /^ERR0207 \S+logs: .*no such file \(\S+:3:17 → \S+a\.yaml:2:16 → \S+no\.yaml\)$/,
    ],
  ])(
    '!include makes any error inside a fragment one of the fragment, with the error in it: %j',
    (fragment, expected) => {
      const problems = told({
        'sup.yaml': 'version: 2\nservices:\n  web: !include a.yaml\n',
        'a.yaml': fragment,
      });
      expect(problems).toEqual([expect.stringMatching(expected)]);
    },
  );

  it('!include keeps the code of a warning inside a fragment and of an env file', () => {
    const problems = told({
      'sup.yaml': 'version: 2\nservices:\n  web: !include a.yaml\n',
      'a.yaml': 'command: x\nuser: web\nenv: { file: vars.env }\n',
      'vars.env': 'nonsense\n',
    });
    expect(problems.map((line) => line.split(' ')[0]).sort()).toEqual(['ERR0220', 'ERR0705']);
  });

  it.each([
    [
      'a missing file',
      'services: !include none.yaml',
      /^ERR0207 services: ".*none\.yaml" cannot be read: no such file \(\S*sup\.yaml:2:20 → \S*none\.yaml\)$/,
    ],
    ['a directory', 'services: !include .', /^ERR0207 services: .* it is a directory/],
    ['a map', 'services: !include { a: b }', /^ERR0207 services: !include takes the path of a file/],
    ['nothing', 'services: !include', /^ERR0207 services: !include takes the path of a file/],
    [
      'broken YAML',
      'services: !include bad.yaml',
      /^ERR0207 services: ERR0217 .*\(\S*sup\.yaml:2:20 → \S*bad\.yaml\)$/,
    ],
    [
      'a file that is not text',
      'services: !include bin.yaml',
      /^ERR0207 services: ".*bin\.yaml" is not UTF-8 text/,
    ],
  ])('!include of %s is refused (ERR0207)', (_, line, expected) => {
    const { problems, manifest } = loadFiles({
      'sup.yaml': `version: 2\n${line}\n`,
      'bad.yaml': 'a: [\n',
      'bin.yaml': new Uint8Array([0x61, 0x3a, 0xff, 0xfe]),
    });
    expect(manifest).toBeUndefined();
    expect(toldOf(problems)[0]).toMatch(expected);
  });

  it('!include does not expand variables in its path, and says so', () => {
    const { problems } = loadFiles(
      { 'sup.yaml': 'version: 2\nservices: !include ${X}.yaml\n' },
      { environment: { X: 'a' } },
    );
    expect(problems[0]).toMatchObject({
      code: 'ERR0207',
      hint: 'variables are not expanded in include paths',
    });
  });

  it('!include refuses a cycle, printed as the cycle (ERR0208)', () => {
    const problem = told({
      'sup.yaml': 'version: 2\nservices: !include a.yaml\n',
      'a.yaml': 'x: !include b.yaml\n',
      'b.yaml': 'y: !include a.yaml\n',
    }).find((line) => line.startsWith('ERR0208'));
    expect(problem).toMatch(
      /^ERR0208 services\.x\.y: ".*a\.yaml" includes itself: \S*a\.yaml → \S*b\.yaml → \S*a\.yaml/,
    );
  });

  it('!include recognizes a file under another name (ERR0208)', () => {
    const directory = directoryWith({
      'sup.yaml': 'version: 2\nservices: !include a.yaml\n',
      'a.yaml': 'x: !include b.yaml\n',
    });
    linkSync(join(directory, 'a.yaml'), join(directory, 'b.yaml'));
    const { problems } = loadManifest(join(directory, 'sup.yaml'), portsWith());
    expect(problems[0]?.code).toBe('ERR0208');
  });

  it('!include nests 16 deep at most (ERR0209)', () => {
    const chain = (length: number): Record<string, string> => ({
      'sup.yaml': 'version: 2\nservices: { w: { command: !include f1.yaml } }\n',
      ...Object.fromEntries(
        Array.from({ length }, (_, index) => [
          `f${index + 1}.yaml`,
          index + 1 === length ? 'run\n' : `!include f${index + 2}.yaml\n`,
        ]),
      ),
    });
    expect(told(chain(16))).toEqual([]);
    expect(told(chain(17))[0]).toMatch(/^ERR0209 .*: includes are nested more than 16 deep/);
  });

  it('!include survives fragments of the maximum depth', () => {
    const nest = (inner: string): string => `${'['.repeat(48)}${inner}${']'.repeat(48)}\n`;
    const files: Record<string, string> = { 'sup.yaml': 'version: 2\nservices: !include f1.yaml\n' };
    for (let level = 1; level <= 16; level += 1)
      files[`f${level}.yaml`] = nest(level === 16 ? 'x' : `!include f${level + 1}.yaml`);
    expect(told(files)).toEqual([expect.stringMatching(/^ERR0207 services: ERR0213 a list is not a map/)]);
  });

  it('!include accepts 256 fragments at most, however they multiply (ERR0209)', () => {
    const files: Record<string, string> = { 'sup.yaml': 'version: 2\nservices: !include f0.yaml\n' };
    for (let level = 0; level < 14; level += 1)
      files[`f${level}.yaml`] = `a: !include f${level + 1}.yaml\nb: !include f${level + 1}.yaml\n`;
    files['f14.yaml'] = 'x\n';
    const caps = told(files).filter((line) => line.includes('there are more than 256 includes'));
    expect(caps).toHaveLength(1);
  });

  it('!include accepts 8 MiB in total at most (ERR0209)', () => {
    const half = `# ${'x'.repeat(4 * 1024 * 1024)}\n`;
    const problems = told({
      'sup.yaml': 'version: 2\nservices: { a: !include a.yaml, b: !include b.yaml }\n',
      'a.yaml': `${half}command: x\n`,
      'b.yaml': `${half}command: x\n`,
    });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^ERR0209 services\.b: .*together may have 8388608/);
  });

  it('!include is not opened if the version is wrong', () => {
    expect(told({ 'sup.yaml': 'version: 1\nservices: !include none.yaml\n' })).toEqual([
      'ERR0212 version: 1 is not a supported version; supported are 2 and 3',
    ]);
  });

  it('!include leaves version to the root manifest', () => {
    expect(told({ 'sup.yaml': '!include all.yaml', 'all.yaml': 'version: 2\n' })[0]).toMatch(
      /^ERR0213 version/,
    );
    expect(
      told({ 'sup.yaml': 'version: 2\nservices: !include s.yaml', 's.yaml': 'version: 2\n' }),
    ).not.toEqual([]);
  });
});
