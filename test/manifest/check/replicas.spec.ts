import { describe, expect, it } from 'vitest';
import { loadText, manifestOf, wrongWith } from '../loading.ts';

const services = (fields: string) => {
  const { manifest, problems } = loadText(manifestOf(fields));
  expect(problems).toEqual([]);
  return manifest?.services ?? [];
};

describe('replicas', () => {
  it('replicas makes services with their number in every text', () => {
    const [first, second, ...others] = services(
      `command: run --port=900{instance} $\${instance}
replicas: 2
working_dir: /srv/{instance}
env: { vars: { NAME: "web-{instance}" } }
deployment: { pre_start: "prepare {instance}", health_check: { url: "http://127.0.0.1:900{instance}/" } }`,
    );
    expect(others).toEqual([]);
    expect(first?.name).toBe('web@1');
    expect(second).toMatchObject({
      id: '__loose__/web@2',
      name: 'web@2',
      launch: { tag: 'shell', command: 'run --port=9002 ${instance}' },
      workingDir: '/srv/2',
      env: { vars: { NAME: 'web-2' } },
      deployment: {
        preStart: 'prepare 2',
        healthCheck: { probe: { tag: 'http', url: 'http://127.0.0.1:9002/' } },
      },
    });
    expect(second?.digest).not.toBe(first?.digest);
  });

  it('replicas changes no digest of the instances that stay', () => {
    const [two, three] = ['replicas: 2', 'replicas: 3'].map((fields) =>
      services(fields).map(({ digest }) => digest.replace(/^.*@/, '')),
    );
    expect(three?.slice(0, 2)).toEqual(two);
  });

  it.each([0, 1001, -1, 1.5])('replicas is refused: %s', (count) => {
    expect(wrongWith(`replicas: ${count}`)).toEqual([
      `ERR0213 replicas: ${count} is not a whole number from 1 to 1000`,
    ]);
  });

  it('replicas excludes a schedule and slots', () => {
    expect(wrongWith('replicas: 2\ncron: { expression: "0 0 * * *" }')).toEqual([
      'ERR0222 cron: cron and replicas exclude each other: a schedule starts one run at a time',
    ]);
    expect(
      wrongWith('replicas: 2\ndeployment: { blue_green: { slots: [1, 2], switch_command: x } }'),
    ).toEqual([
      'ERR0222 deployment.blue_green: blue_green and replicas exclude each other: it has one pair of slots; strategy rolling replaces one instance after another',
    ]);
  });

  const checked = (url: string, more = ''): string =>
    `replicas: 2\n${more}deployment: { health_check: { url: "${url}" } }`;

  it('replicas refuses a check at one port of this machine that is no socket of the service', () => {
    expect(wrongWith(checked('http://127.0.0.1:8080/'))).toEqual([
      'ERR0222 deployment.health_check.url: "http://127.0.0.1:8080/" is one port for all instances, and no socket of the service listens there',
    ]);
    expect(wrongWith('replicas: 2\ndeployment: { health_check: { tcp: 5432 } }')).toHaveLength(1);
    expect(wrongWith('replicas: 2\ndeployment: { health_check: { tcp: "543{instance}" } }')).toEqual([]);
    expect(
      wrongWith(checked('http://127.0.0.1:8080/', 'sockets: [{ name: http, listen: 8081 }]\n')),
    ).toHaveLength(1);
    expect(wrongWith(checked('http://127.0.0.1:8080/{instance}'))).toHaveLength(1);
  });

  it.each([
    ['tcp: 5432', 1],
    ['url: "http://localhost/"', 1],
    ['tcp: "543{instance}"', 0],
    ['tcp: "db.example.org:5432"', 0],
  ])('replicas compares the port of liveness with the sockets, too: %s', (kind, count) => {
    const fields = `replicas: 2\ndeployment: { health_check: { command: x, liveness: { ${kind} } } }`;
    const [key = ''] = kind.split(':');
    expect(wrongWith(fields).map((line) => line.split(': ', 1)[0])).toEqual(
      Array<string>(count).fill(`ERR0222 deployment.health_check.liveness.${key}`),
    );
  });

  it.each([
    checked('http://127.0.0.1:8080/', 'sockets: [{ name: http, listen: 8080 }]\n'),
    checked('http://127.0.0.1:808{instance}/'),
    checked('http://web.example.org/'),
  ])('replicas allows a check: %s', (fields) => expect(wrongWith(fields)).toEqual([]));

  it('replicas refuses a url that the number of the last instance makes invalid', () => {
    expect(
      wrongWith('replicas: 10\ndeployment: { health_check: { url: "http://127.0.0.1:6553{instance}/" } }'),
    ).toEqual([
      'ERR0213 deployment.health_check.url: "http://127.0.0.1:655310/" names port 655310, but ports go from 1 to 65535; the number of an instance makes it of "http://127.0.0.1:6553{instance}/"',
    ]);
  });

  it('replicas warns that it sets SUP_INSTANCE', () => {
    const { problems } = loadText(manifestOf('replicas: 2\nenv: { vars: { SUP_INSTANCE: 7 } }'));
    expect(problems).toMatchObject([{ code: 'ERR0223', severity: 'warning', path: 'services.web.replicas' }]);
  });
});
