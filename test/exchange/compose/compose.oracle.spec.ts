// Whether docker-compose itself understands Compose files as `sup import` does, and reads what `sup export`
// writes.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { composeExport } from '../../../src/exchange/compose/compose-export.ts';
import type { ServiceSpec } from '../../../src/streams/domain/declared/spec.ts';
import { directoryWith } from '../../manifest/loading.ts';
import { exported } from '../support/exported.ts';
import { imported } from '../support/imported.ts';
import { describeWith } from '../support/oracle.ts';
import { randomManifest } from '../support/random-service.ts';

type Table = Readonly<Record<string, unknown>>;

interface Project {
  readonly services: Readonly<Record<string, Table>>;
}

const ENVIRONMENT = { PATH: process.env['PATH'] ?? '', HOME: '/root', TAG: 'outer' };

/** Returns what docker-compose makes of the files in a directory, or why it refuses them. */
const configOf = (directory: string, names: readonly string[]): Project | string => {
  const args = [...names.flatMap((name) => ['-f', name]), 'config'];
  const { status, stdout, stderr } = spawnSync('/usr/bin/docker-compose', args, {
    ...{ cwd: directory, env: ENVIRONMENT, encoding: 'utf8' },
  });
  return status === 0 ? (parse(stdout) as Project) : stderr;
};

/** Each is a Compose file with services that have a command; the values are of all kinds. */
const SOURCES: readonly string[] = [
  'services: { a: { image: x, command: node a.js "b c" } }',
  'services: { a: { image: x, entrypoint: [run, --it], command: [one, "two three"] } }',
  'services: { a: { image: x, command: sh -c \'echo $$HOME "x"\' } }',
  'services: { a: { image: x, command: a, environment: { A: 1, B: "x", C: "${TAG}", D: "$$E" } } }',
  'services: { a: { image: x, command: a, environment: ["A=1", "B=", "C=a=b"] } }',
  'services: { a: { image: x, command: a, env_file: one.env } }',
  'services: { a: { image: x, command: a, env_file: [one.env, two.env], environment: { B: own } } }',
  'services: { a: { image: x, command: a, depends_on: [b] }, b: { image: x, command: b } }',
  'services: { a: { image: x, command: a, depends_on: { b: { condition: service_completed_successfully } } }, b: { image: x, command: b } }',
  'services: { a: { image: x, command: a, stop_signal: SIGINT, stop_grace_period: 1m30s } }',
  'services: { a: { image: x, command: a, restart: "on-failure:3" }, b: { image: x, command: b, restart: always } }',
  'services: { a: { image: "x:${MISSING:-3}", command: "run ${MISSING-a} ${TAG:-b}" } }',
  'x-base: &base { image: x, environment: { A: base } }\nservices: { a: { <<: *base, command: a }, b: { <<: *base, command: b, environment: { B: own } } }',
  'services: { a: { extends: { service: b }, command: a, environment: { A: own } }, b: { image: x, command: b, environment: { A: 1, B: 2 } } }',
  'services: { a: { extends: { service: c, file: sub/other.yaml }, environment: { A: own } } }',
  'services: { a: { image: x, command: a, healthcheck: { test: [CMD, "true"], interval: 5s } }, b: { image: x, command: b, depends_on: { a: { condition: service_healthy } } } }',
  'services: { a: { image: x, command: "a\\\\b \'c d\' \\"e\\"" } }',
];

const FILES = {
  'one.env': 'A=1\nB=2\n',
  'two.env': 'B=3\nC=4\n',
  'sub/other.yaml': 'services: { c: { image: x, command: [c, d], environment: { A: 1, B: "${TAG}" } } }',
};

const wordsOf = ({ launch }: ServiceSpec): readonly string[] =>
  launch.tag === 'exec' ? launch.argv : ['sh', '-c', launch.command];

/** Returns what both sides say of a service. */
const ours = (spec: ServiceSpec): Table => ({
  words: wordsOf(spec),
  environment: spec.env.vars,
  dependencies: spec.dependsOn.map(({ service }) => service.split('/')[1]).sort(),
  signal: spec.stopSignal,
  grace: spec.stopTimeout,
  restart: spec.restartPolicy,
});

const listOf = (value: unknown): readonly string[] => {
  if (value === undefined || value === null) return [];
  if (typeof value === 'string') {
    const { stdout } = spawnSync(
      '/usr/bin/python3',
      ['-c', 'import shlex,sys,json;print(json.dumps(shlex.split(sys.argv[1])))', value],
      { encoding: 'utf8' },
    );
    return JSON.parse(stdout) as readonly string[];
  }
  return value as readonly string[];
};

const RESTARTS: Readonly<Record<string, string>> = {
  no: 'never',
  always: 'always',
  'on-failure': 'on-failure',
};

/** In what it prints, docker-compose doubles each `$`. */
const undoubled = (text: string): string => text.replaceAll('$$', '$');

interface Printed {
  readonly entrypoint?: string | readonly string[];
  readonly command?: string | readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly depends_on?: Table;
  readonly restart?: string;
  readonly stop_signal?: string;
  readonly stop_grace_period?: string;
}

const millisOf = (text: string): number => {
  const [, minutes = '0', seconds = '0'] = /^(?:(\d+)m)?(?:(\d+)s)?$/.exec(text) ?? [];
  return (Number(minutes) * 60 + Number(seconds)) * 1000;
};

const theirs = (printed: Table): Table => {
  const { entrypoint, command, environment, depends_on: dependencies, ...service }: Printed = printed;
  const { restart = 'no', stop_signal: signal = 'SIGTERM', stop_grace_period: grace = '10s' } = service;
  return {
    words: [...listOf(entrypoint), ...listOf(command)].map(undoubled),
    environment: Object.fromEntries(
      Object.entries(environment ?? {}).map(([name, value]) => [name, undoubled(String(value))]),
    ),
    dependencies: Object.keys(dependencies ?? {}).sort(),
    signal,
    grace: millisOf(grace),
    restart: RESTARTS[restart.split(':')[0] ?? ''],
  };
};

/** What docker-compose 1.29 does not know, because it is older: removed before it reads an exported file. */
const TOO_NEW = ['name', 'required', 'start_interval', 'pre_stop', 'post_start', 'develop'];

const asOld = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(asOld);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !TOO_NEW.includes(key));
  return Object.fromEntries(kept.map(([key, each]) => [key, key === 'environment' ? each : asOld(each)]));
};

describeWith('docker-compose')('docker-compose and sup', () => {
  it.each(SOURCES.map((text, at) => [at, text] as const))(
    'agree on the services of the Compose file %i',
    async (_, text) => {
      const { loaded, directory } = await imported(
        { 'compose.yaml': text, ...FILES },
        { environment: ENVIRONMENT },
      );
      const config = configOf(directory, ['compose.yaml']);
      if (typeof config === 'string') throw new Error(config);
      const found = Object.fromEntries(
        (loaded.manifest?.services ?? []).map((spec) => [spec.name, ours(spec)]),
      );
      const expected = Object.fromEntries(
        Object.entries(config.services).map(([name, service]) => [name, theirs(service)]),
      );
      expect(found).toEqual(expected);
    },
  );

  it('agree on two files, of which the second overrides the first', async () => {
    const files = {
      'compose.yaml':
        'version: "3.9"\nservices: { a: { image: x, command: a, environment: { A: 1, B: 1 } } }',
      'compose.over.yaml':
        'version: "3.9"\nservices: { a: { command: [b], environment: ["B=2"], restart: always } }',
    };
    const names = Object.keys(files);
    const { loaded, directory } = await imported(files, { names });
    const config = configOf(directory, names);
    if (typeof config === 'string') throw new Error(config);
    expect(loaded.manifest?.services.map(ours)).toEqual(Object.values(config.services).map(theirs));
  });

  it('docker-compose reads what is exported of generated manifests', () => {
    const texts = fc.sample(randomManifest, { numRuns: 160, seed: 11 }).flatMap((manifest) => {
      try {
        return exported(manifest, composeExport, { '*': 'shop/web:3' }).files.map(({ text }) => text);
      } catch {
        return [];
      }
    });
    const projects = texts.map((text) => asOld(parse(text)) as Project);
    const named = projects.flatMap(({ services }, at) =>
      Object.entries(services).map(([name, service]) => [
        `s${at}-${name}`,
        { ...service, depends_on: undefined },
      ]),
    );
    const secrets = Object.assign(
      {},
      ...projects.map((project) => (project as { secrets?: Table }).secrets ?? {}),
    ) as Table;
    const whole = { version: '3.9', services: Object.fromEntries(named) as Table, secrets };
    const directory = directoryWith({});
    writeFileSync(join(directory, 'compose.yaml'), JSON.stringify(whole));
    expect(configOf(directory, ['compose.yaml'])).toMatchObject({ services: expect.anything() as object });
    expect(named.length).toBeGreaterThan(100);
  });

  it('docker-compose refuses an unknown key, so that the test before can fail', () => {
    const directory = directoryWith({
      'compose.yaml': 'version: "3.9"\nservices: { a: { image: x, pre_stop: [] } }',
    });
    expect(configOf(directory, ['compose.yaml'])).toContain('pre_stop');
  });
});
