// The example container, as far as it can be checked without an engine: what the Dockerfile copies is there, what it runs
// can be run, and the manifest loads.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readLine } from '../../src/cli/grammar/read-line.ts';
import { loadManifest } from '../../src/manifest/load.ts';
import { imagesIn } from '../support/dockerfile.ts';

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const [build, image] = imagesIn(readFileSync(at('examples/container/Dockerfile'), 'utf8'));
const kept = readFileSync(at('examples/container/Dockerfile.dockerignore'), 'utf8').split('\n');

describe('the example container', () => {
  it('the example container copies existing files that the ignore file allows', () => {
    const own = [build, image].flatMap((each) =>
      (each?.copies ?? []).filter(({ from }) => from === undefined),
    );
    const sources = own.flatMap((copy) => copy.sources);
    expect(sources).toHaveLength(7);
    for (const source of sources) {
      expect(existsSync(at(source)), source).toBe(true);
      expect(
        kept.some((line) => line.startsWith('!') && source.startsWith(line.slice(1))),
        source,
      ).toBe(true);
    }
  });

  it('the example container takes the output of the build and runs nothing else', () => {
    const made = image?.copies.filter(({ from }) => from === 'build').flatMap(({ sources }) => sources);
    expect(made).toEqual(['/opt/sup/package.json', '/opt/sup/node_modules', '/opt/sup/dist']);
    expect(build?.runs[0]).toBe('npm ci');
    const { scripts } = JSON.parse(readFileSync(at('package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    // What `npm ci` does by itself.
    expect(scripts).toMatchObject({ prepare: 'npm run build', build: 'node scripts/build.js' });
    for (const run of [...(build?.runs ?? []), ...(image?.runs ?? [])])
      expect(() => execFileSync('sh', ['-n', '-c', run]), run).not.toThrow();
  });

  it('the example container has valid command lines of sup', () => {
    const [program, ...entrypoint] = image?.entrypoint.slice(1) ?? [];
    const [same, ...healthcheck] = image?.healthcheck.slice(1) ?? [];
    expect([program, same]).toEqual(['/opt/sup/dist/sup.js', '/opt/sup/dist/sup.js']);
    expect(readLine(entrypoint)).toMatchObject({
      parsed: { command: 'supervise', values: { config: ['/etc/sup/sup.yaml'] } },
    });
    expect(readLine(healthcheck)).toMatchObject({ parsed: { command: 'status' } });
  });

  it('the example container declares programs that it copies, one of them essential', () => {
    const ports = { environment: {}, uid: process.getuid?.() ?? 0, sys: false };
    const { problems, manifest } = loadManifest(at('examples/container/sup.yaml'), ports);
    expect(problems).toEqual([]);
    const services = manifest?.services ?? [];
    expect(services.filter(({ essential }) => essential).map(({ name }) => name)).toEqual(['api']);
    const programs = services.flatMap(({ launch }) => (launch.tag === 'exec' ? launch.argv.slice(1) : []));
    expect(programs).toHaveLength(3);
    for (const program of programs)
      expect(existsSync(at(`examples/container${program.replace('/srv', '')}`)), program).toBe(true);
  });
});
