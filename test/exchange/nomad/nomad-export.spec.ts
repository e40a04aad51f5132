import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nomadExport } from '../../../src/exchange/nomad/nomad-export.ts';
import { exported, exportedService, type WrittenObjects } from '../support/exported.ts';
import { randomManifest } from '../support/random-service.ts';
import { NOMAD_JOB_SCHEMA } from './nomad-job-schema.ts';

const write = (service: string, images = {}): WrittenObjects => exportedService(service, nomadExport, images);

/** A job with one group and one task. */
const job = (task: object, group: object = {}, others: object = {}): object => ({
  Job: { ...others, TaskGroups: [{ ...group, Tasks: [task] }] },
});

/** Returns the jobs of a manifest; none if it does not load. */
const jobsOf = (manifest: string, at: number): readonly string[] => {
  try {
    const images = at % 2 === 0 ? { '*': 'shop/web:3' } : {};
    return exported(manifest, nomadExport, images).files.map(({ text }) => text);
  } catch {
    return [];
  }
};

describe('the export to Nomad', () => {
  it('writes a service that always runs as a job with raw_exec', () => {
    const { objects, losses } = write('exec: [node, web.js]\nrestart_policy: always\nworking_dir: /srv');
    expect(objects).toEqual([
      {
        Job: {
          ...{ ID: 'shop-web', Name: 'shop-web', Type: 'service', Datacenters: ['*'] },
          Update: {
            ...{
              MaxParallel: 1,
              Canary: 0,
              AutoPromote: false,
              AutoRevert: true,
              HealthCheck: 'task_states',
            },
            MinHealthyTime: 0,
          },
          TaskGroups: [
            {
              Name: 'web',
              Count: 1,
              RestartPolicy: { Attempts: 8, Delay: 1e9, Interval: 3600e9, Mode: 'fail' },
              ReschedulePolicy: { Attempts: 0, Unlimited: false },
              Tasks: [
                {
                  ...{ Name: 'web', Driver: 'raw_exec' },
                  Config: { command: 'node', args: ['web.js'], work_dir: '/srv' },
                  ...{ KillSignal: 'SIGTERM', KillTimeout: 10e9 },
                },
              ],
            },
          ],
        },
      },
    ]);
    expect(losses).toEqual([]);
  });

  it.each([
    ['an image', 'exec: [node]', job({ Driver: 'docker', Config: { image: 'shop/web:3', command: 'node' } })],
    [
      'a one-shot',
      'command: make all\nrestart_policy: never',
      job(
        { Config: { command: 'sh', args: ['-c', 'make all'] } },
        { RestartPolicy: { Attempts: 0 } },
        { Type: 'batch' },
      ),
    ],
    [
      'a schedule with seconds',
      'exec: [x]\ncron: { expression: "10 0 3 * * *", timezone: Europe/Berlin, catch_up: once }',
      job(
        {},
        {},
        {
          Type: 'batch',
          Periodic: {
            ...{ Enabled: true, SpecType: 'cron', Spec: '10 0 3 * * * *' },
            ...{ ProhibitOverlap: true, TimeZone: 'Europe/Berlin' },
          },
        },
      ),
    ],
    [
      'a secret, as a reference',
      'exec: [x]\nenv: { secrets: { KEY: { file: /etc/hostname } } }',
      job({
        Templates: [
          {
            EmbeddedTmpl: 'KEY={{ file "/etc/hostname" | trimSpace | toJSON }}\n',
            ...{ DestPath: 'secrets/secrets.env', Envvars: true, Perms: '0600' },
          },
        ],
      }),
    ],
    [
      'a health check and its port',
      'exec: [x]\ndeployment: { strategy: rolling, health_check: { url: "https://localhost:8443/ok", interval: 5s } }',
      job(
        {},
        {
          Networks: [{ Mode: 'host', ReservedPorts: [{ Label: '8443', Value: 8443 }] }],
          Services: [
            {
              ...{ Name: 'shop-web', Provider: 'nomad', PortLabel: '8443', AddressMode: 'host' },
              Checks: [
                {
                  ...{ Name: 'web http', Type: 'http', Protocol: 'https', Path: '/ok' },
                  ...{ Interval: 5e9, Timeout: 30e9 },
                  CheckRestart: { Limit: 3, Grace: 1e9, IgnoreWarnings: false },
                },
              ],
            },
          ],
        },
        { Update: { Canary: 1, AutoPromote: true, HealthCheck: 'checks' } },
      ),
    ],
  ])('writes %s', (_, service, expected) => {
    expect(write(service, { '*': 'shop/web:3' }).objects).toMatchObject([expected]);
  });

  it('writes pre_start as a task before the service', () => {
    const { objects } = write('exec: [x]\ndeployment: { pre_start: ./migrate }');
    const before = { Name: 'pre-start', Lifecycle: { Hook: 'prestart', Sidecar: false } };
    expect(objects).toMatchObject([{ Job: { TaskGroups: [{ Tasks: [before, { Name: 'web' }] }] } }]);
  });

  it.each([
    [
      'cron: { expression: "* * * * *", timezone: utc, timeout: 90s, catch_up: once }',
      'a run has no time limit: begin the command with timeout 90',
    ],
    [
      'cron: { expression: "* * * * *", timezone: utc, overlap: queue, catch_up: once }',
      'a time that comes during a run is skipped, never queued',
    ],
    ['capabilities: [CAP_CHOWN]', 'raw_exec does not restrict a program: name an image with --image'],
    [
      'deployment: { health_check: { notify: true } }',
      'a task has no NOTIFY_SOCKET: use url, tcp or command',
    ],
    [
      'deployment: { health_check: { tcp: "db:5432" } }',
      'a check asks only the service itself, not "db:5432"',
    ],
    ['hooks: { onstart: { command: x } }', 'there is no counterpart'],
  ])('says what is lost: %s', (service, message) => {
    const lost = write(`exec: [x]\n${service}`).losses.filter((line) => line.startsWith('lost'));
    expect(lost).toEqual([expect.stringContaining(message)]);
  });

  it('writes services whose job would have the same name as different jobs', () => {
    const text =
      'version: "2"\nprojects:\n  a: { services: { b-c: { exec: [x] } } }\n  a-b: { services: { c: { exec: [y] } } }\n';
    const { files } = exported(text, nomadExport);
    expect(files.map(({ name }) => name)).toEqual(['a-b-c.nomad.json', 'a-b-c-2.nomad.json']);
    expect(files[1]?.text).toContain('"ID": "a-b-c-2"');
  });

  it('writes only keys that the documentation of jobs has, with the right types', () => {
    const validate = new Ajv({ allErrors: true }).compile(NOMAD_JOB_SCHEMA);
    const all = fc.sample(randomManifest, { numRuns: 200, seed: 7 }).flatMap(jobsOf);
    for (const text of all) {
      validate(JSON.parse(text));
      expect(validate.errors, text).toBeNull();
    }
    expect(all.length).toBeGreaterThan(100);
  });
});
