import { realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadManifest, loadRegistered } from '../../src/manifest/load.ts';
import { directoryWith, loadText, portsWith, toldOf } from './loading.ts';

describe('loading a manifest', () => {
  it('a loaded manifest has its real path', () => {
    const directory = realpathSync(
      directoryWith({ 'app/sup.yaml': 'version: 2\nservices: { a: { command: x } }' }),
    );
    symlinkSync('app/sup.yaml', join(directory, 'link.yaml'));
    const { path, manifest } = loadManifest(join(directory, 'link.yaml'), portsWith());
    expect(path).toBe(join(directory, 'app/sup.yaml'));
    expect(manifest?.path).toBe(path);
    expect(manifest?.services[0]).toMatchObject({ manifest: path, directory: join(directory, 'app') });
  });

  it('a loaded manifest has its registered path if a link has replaced it', () => {
    const directory = realpathSync(
      directoryWith({
        'real/sup.yaml': 'version: 2\nservices: { a: { command: !include a.txt } }',
        'real/a.txt': 'x',
      }),
    );
    symlinkSync('real', join(directory, 'app'));
    const registered = join(directory, 'app/sup.yaml');
    const { path, manifest, problems } = loadRegistered(registered, portsWith());
    expect(problems).toEqual([]);
    expect(path).toBe(registered);
    expect(manifest?.path).toBe(path);
    expect(manifest?.services[0]).toMatchObject({ manifest: path, directory: join(directory, 'app') });
  });

  it('a load returns either a manifest or an error', () => {
    const texts = ['version: 2', 'version: 1', '', 'version: 2\nproject: a', 'version: 2\nx: 1', '['];
    for (const text of texts) {
      const { manifest, problems } = loadText(text);
      expect(problems.some(({ severity }) => severity === 'error')).toBe(manifest === undefined);
    }
  });

  it('a load reports problems of decoding and of the graph together, in the order of the file', () => {
    const { problems } = loadText(`version: 2
services:
  a: { command: x, depends_on: [nobody] }
  b: { command: x, backoff: never }
  c: { command: x, depends_on: [b, d] }
  d: { command: x, depends_on: [c], bogus: 1 }
  e: !include missing.yaml
  f: { command: x, depends_on: [e] }
`);
    expect(toldOf(problems).map((line) => line.split(':')[0])).toEqual([
      'ERR0214 services.a.depends_on[0]',
      'ERR0210 services.b.backoff',
      'ERR0215 services.d.depends_on[0]',
      'ERR0211 services.d.bogus',
      'ERR0207 services.e',
    ]);
  });

  it('a load returns specs that survive JSON', () => {
    const { manifest } = loadText(
      'version: 2\nservices: { __proto__: { command: x, env: { vars: { __proto__: y } } } }',
    );
    expect(JSON.parse(JSON.stringify(manifest))).toEqual(manifest);
    expect(Object.keys(manifest?.services[0]?.env.vars ?? {})).toEqual(['__proto__']);
  });

  it('a load limits the text after expansion of variables, and reports that once', () => {
    const many = Array.from({ length: 600 }, (_, at) => at);
    const vars = `env: { vars: { A: "${'x'.repeat(1_000_000)}"`;
    const ofVars = `${vars}, ${many.map((at) => `V${at}: "\${A}y"`).join(', ')} } }`;
    const ofCommands = `${vars} } }`;
    const services = (command: string): string =>
      `services:\n${many.map((at) => `  s${at}: { command: '${command}' }`).join('\n')}`;
    for (const text of [`${ofVars}\n${services('true')}`, `${ofCommands}\n${services('${A}y')}`])
      expect(toldOf(loadText(`version: 2\n${text}`).problems)).toEqual([
        expect.stringContaining('more than 32 MiB of text once its variables are expanded'),
      ]);
  });

  it('a load never throws: an exception is a problem of that manifest', () => {
    const asked = (): never => {
      throw new RangeError('a bug');
    };
    const { manifest, problems } = loadText('version: 2\nservices: { a: { command: "${X}" } }', { asked });
    expect(manifest).toBeUndefined();
    expect(problems).toMatchObject([
      { code: 'ERR0001', severity: 'error', message: expect.stringContaining('RangeError: a bug') as string },
    ]);
  });
});
