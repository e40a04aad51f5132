import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { composeExport } from '../../../src/exchange/compose/compose-export.ts';
import { loadManifest } from '../../../src/manifest/load.ts';
import type { ServiceSpec } from '../../../src/streams/domain/declared/spec.ts';
import { directoryWith, portsWith } from '../../manifest/loading.ts';
import { exported } from '../support/exported.ts';
import { imported } from '../support/imported.ts';

const word = fc.constantFrom('node', 'a b', '$HOME', "it's", '${X}', '--port=1', 'ü', 'no', '12:30', '"q"');

const launch = fc.oneof(
  fc
    .tuple(fc.constantFrom('run', './run'), fc.array(word, { maxLength: 3 }))
    .map(([program, args]) => ({ exec: [program, ...args] })),
  fc.constantFrom('node web.js', 'a | b > c', 'echo $HOME "$$x"').map((command) => ({ command })),
);

const value = fc.constantFrom('1', 'true', 'a b', '', 'x=y', '12:30', 'é', '#x');

/** Checks that give Compose all of their keys: the time is at least that of all retries. */
const check = fc
  .tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 60 }))
  .map(([interval, retries, period]) => ({
    health_check: {
      command: 'true && test "$X"',
      interval: `${interval}s`,
      retries,
      attempt_timeout: '5s',
      total_timeout: `${interval * retries + period}s`,
      on_failure: 'ignore',
    },
  }));

/** The keys of a service that both sides have. */
const keys = fc.record(
  {
    env: fc.record(
      {
        vars: fc.dictionary(fc.constantFrom('A', 'B_2', 'PATH_X'), value),
        secrets: fc.constantFrom({ KEY: { file: '/etc/hostname' } }, { KEY: { file: '/etc/passwd' } }),
      },
      { requiredKeys: [] },
    ),
    stop_signal: fc.constantFrom('SIGINT', 'SIGQUIT', 'SIGTERM'),
    stop_timeout: fc.constantFrom('1500ms', '3s', '2m', '1h'),
    stop_command: fc.constantFrom('./drain --all', 'a && b'),
    replicas: fc.integer({ min: 1, max: 4 }),
    user: fc.constantFrom('www-data', 'daemon'),
    supplementary_groups: fc.constantFrom(['adm'], ['adm', 'tty']),
    capabilities: fc.constantFrom([], ['CAP_CHOWN'], ['CAP_KILL', 'CAP_NET_RAW']),
    limits: fc.record(
      {
        nofile: fc.constantFrom(1024, 'unlimited'),
        core: fc.constant(0),
        oom_score_adj: fc.integer({ min: -1000, max: 1000 }),
        cpu_affinity: fc.constantFrom([0], [0, 1]),
        cgroup: fc.record(
          {
            memory_max: fc.constantFrom('64M', 12_345),
            cpu_max: fc.constant('50000 100000'),
            pids_max: fc.constantFrom(10, 'max'),
          },
          { requiredKeys: [] },
        ),
      },
      { requiredKeys: [] },
    ),
    isolation: fc.record({ private_tmp: fc.boolean(), network: fc.boolean() }, { requiredKeys: [] }),
    logs: fc.constantFrom({ sink: 'none' }, { max_bytes: '5M', max_files: 3 }, { compress: true }),
    deployment: fc
      .tuple(check, fc.constantFrom('rolling', 'immediate'))
      .map(([one, strategy]) => ({ ...one, strategy })),
  },
  { requiredKeys: [] },
);

const restart = fc.oneof(
  fc.integer({ min: 0, max: 9 }).map((most) => ({ restart_policy: 'on-failure', max_restarts: most })),
  fc.constantFrom({ restart_policy: 'always' }, { restart_policy: 'never' }),
);

const service = fc.tuple(launch, keys, restart).map(([one, two, three]) => ({ ...one, ...two, ...three }));

const dependency = fc.constantFrom('db', { service: 'db', required: false });

const manifest = fc
  .record({ web: service, db: service, needs: fc.array(dependency, { maxLength: 1 }) })
  .map(({ web, db, needs }) =>
    JSON.stringify({
      version: '2',
      projects: {
        shop: { services: { db, web: { ...web, ...(needs.length > 0 && { depends_on: needs }) } } },
      },
    }),
  );

/** Returns a declaration without what the place of its file gives. */
const comparable = ({
  digest: _,
  manifest: __,
  directory: ___,
  workingDir: ____,
  ...spec
}: ServiceSpec): unknown => {
  const { healthCheck, ...deployment } = spec.deployment;
  const { startIntervalMax: _____, ...check } = healthCheck ?? {};
  return { ...spec, deployment: { ...deployment, ...(healthCheck && { healthCheck: check }) } };
};

const servicesOf = (text: string): readonly unknown[] => {
  const path = join(directoryWith({}), 'sup.yaml');
  writeFileSync(path, text, { mode: 0o644 });
  const { manifest: loaded, problems } = loadManifest(path, portsWith({ sys: true }));
  if (loaded === undefined) throw new Error(JSON.stringify(problems));
  const inOrder = [...loaded.services].sort((one, other) => (one.id < other.id ? -1 : 1));
  return inOrder.map(comparable);
};

it('a manifest that is exported to Compose and imported again declares the same services', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(manifest, async (text) => {
      const { files } = exported(text, composeExport, { '*': 'shop/web:3' });
      const back = await imported({ 'compose.yaml': files[0]?.text ?? '' });
      expect(servicesOf(back.manifest)).toEqual(servicesOf(text));
      compared += 1;
    }),
    { numRuns: 200, seed: 5 },
  );
  expect(compared).toBe(200);
}, 120_000);
