import { describe, expect, it } from 'vitest';
import { loadText, manifestOf, toldOf } from '../../loading.ts';

const LEVELS: readonly [level: string, text: string, path: string][] = [
  ['the top level', 'version: 2\nbogus: 1', 'bogus'],
  ['root env', 'version: 2\nenv: { bogus: 1 }', 'env.bogus'],
  ['root logs', 'version: 2\nlogs: { bogus: 1 }', 'logs.bogus'],
  ['status', 'version: 2\nstatus: { bogus: 1 }', 'status.bogus'],
  ['metrics', 'version: 2\nmetrics: { bogus: 1 }', 'metrics.bogus'],
  ['a project', 'version: 2\nprojects: { a: { services: {}, bogus: 1 } }', 'projects.a.bogus'],
  ['project env', 'version: 2\nprojects: { a: { services: {}, env: { bogus: 1 } } }', 'projects.a.env.bogus'],
  [
    'project logs',
    'version: 2\nprojects: { a: { services: {}, logs: { bogus: 1 } } }',
    'projects.a.logs.bogus',
  ],
  ...(
    [
      ['a service', 'bogus: 1', 'bogus'],
      ['env', 'env: { bogus: 1 }', 'env.bogus'],
      ['logs', 'logs: { bogus: 1 }', 'logs.bogus'],
      ['cron', 'cron: { expression: "* * * * *", bogus: 1 }', 'cron.bogus'],
      ['hooks', 'hooks: { bogus: 1 }', 'hooks.bogus'],
      ['a hook', 'hooks: { onstart: { command: x, bogus: 1 } }', 'hooks.onstart.bogus'],
      ['a stage', 'hooks: { on_stop: { bogus: 1 } }', 'hooks.on_stop.bogus'],
      ['deployment', 'deployment: { bogus: 1 }', 'deployment.bogus'],
      [
        'health_check',
        'deployment: { health_check: { command: x, bogus: 1 } }',
        'deployment.health_check.bogus',
      ],
      [
        'blue_green',
        'deployment: { blue_green: { slots: [1, 2], switch_command: x, bogus: 1 } }',
        'deployment.blue_green.bogus',
      ],
      ['spawn', 'spawn: { bogus: 1 }', 'spawn.bogus'],
      ['spawn.limits', 'spawn: { limits: { bogus: 1 } }', 'spawn.limits.bogus'],
      ['backoff', 'backoff: { bogus: 1 }', 'backoff.bogus'],
      ['limits', 'limits: { bogus: 1 }', 'limits.bogus'],
      ['limits.cgroup', 'limits: { cgroup: { bogus: 1 } }', 'limits.cgroup.bogus'],
      ['isolation', 'isolation: { bogus: 1 }', 'isolation.bogus'],
      ['isolation.seccomp', 'isolation: { seccomp: { bogus: 1 } }', 'isolation.seccomp.bogus'],
      ['isolation.landlock', 'isolation: { landlock: { bogus: 1 } }', 'isolation.landlock.bogus'],
    ] as const
  ).map(([level, fields, path]): [string, string, string] => [
    level,
    manifestOf(fields),
    `services.web.${path}`,
  ]),
];

describe('an unknown key', () => {
  it.each(LEVELS)('an unknown key is refused in %s', (_, text, path) => {
    const { manifest, problems } = loadText(text);
    const errors = problems.filter(({ severity }) => severity === 'error');
    expect(manifest).toBeUndefined();
    expect(errors.map(({ code, path: at }) => [code, at])).toEqual([['ERR0211', path]]);
  });

  it('an unknown key comes with the nearest key and its position', () => {
    const { problems } = loadText(
      'version: "2"\nservices:\n  web:\n    command: x\n    restartpolicy: never\n',
    );
    expect(problems).toEqual([
      {
        code: 'ERR0211',
        severity: 'error',
        path: 'services.web.restartpolicy',
        file: expect.stringMatching(/\/sup\.yaml$/) as string,
        line: 5,
        column: 5,
        source: '    restartpolicy: never',
        message: '"restartpolicy" is not a key of service',
        hint: 'did you mean "restart_policy"?',
      },
    ]);
  });

  it('an unknown key is reported together with all other problems', () => {
    const text = manifestOf('bogus: 1\nbackoff: x\nrestart_policy: y\nlogs: { sink: z, more: 1 }');
    expect(toldOf(loadText(text).problems).map((line) => line.split(':')[0])).toEqual([
      'ERR0211 services.web.bogus',
      'ERR0210 services.web.backoff',
      'ERR0213 services.web.restart_policy',
      'ERR0213 services.web.logs.sink',
      'ERR0211 services.web.logs.more',
    ]);
  });
});
