import { describe, expect, it } from 'vitest';
import { kubernetesExport } from '../../../src/exchange/kubernetes/kubernetes-export.ts';
import { exported, exportedService, type WrittenObjects } from '../support/exported.ts';

const write = (service: string): WrittenObjects => exportedService(service, kubernetesExport);

const LABELS = { 'app.kubernetes.io/name': 'web', 'app.kubernetes.io/part-of': 'shop' };

/** What a Deployment has of a service beside its defaults. */
const deployment = (pod: object, container: object, spec: object = { strategy: { type: 'Recreate' } }) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels: { ...LABELS, 'app.kubernetes.io/managed-by': 'sup-export' } },
  spec: {
    replicas: 1,
    ...spec,
    selector: { matchLabels: LABELS },
    template: {
      metadata: { labels: LABELS },
      spec: {
        restartPolicy: 'Always',
        terminationGracePeriodSeconds: 10,
        ...pod,
        containers: [{ name: 'web', image: 'shop/web:3', command: ['node'], ...container }],
      },
    },
  },
});

const ALWAYS = 'exec: [node]\nrestart_policy: always\n';

describe('the export of a Deployment', () => {
  it('writes a service that always runs, without a loss', () => {
    const { objects, losses } = write(ALWAYS);
    expect(objects).toEqual([deployment({}, {})]);
    expect(losses).toEqual([]);
  });

  it('says that a Deployment restarts after status 0, too', () => {
    expect(write('command: node web.js').losses).toEqual([
      'changed web.restart_policy: a Deployment starts the container again also after exit status 0',
    ]);
  });

  it.each([
    [
      'a rolling update with a grace period',
      'deployment: { strategy: rolling, grace_period: 1500ms }',
      {},
      {},
      {
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
        minReadySeconds: 2,
      },
    ],
    ['a skipped service', 'skip: true', {}, {}, { replicas: 0, strategy: { type: 'Recreate' } }],
    ['a stop timeout', 'stop_timeout: 2500ms', { terminationGracePeriodSeconds: 3 }, {}, undefined],
    ['a working directory', 'working_dir: /app', {}, { workingDir: '/app' }, undefined],
    [
      'variables with characters that Kubernetes would replace',
      "env: { vars: { A: 'x $$(Y) z' } }",
      {},
      { env: [{ name: 'A', value: 'x $$(Y) z' }] },
      undefined,
    ],
    [
      'a command at the beginning of a stop',
      'stop_command: ./drain',
      {},
      { lifecycle: { preStop: { exec: { command: ['sh', '-c', './drain'] } } } },
      undefined,
    ],
    [
      'limits of a cgroup',
      'limits: { cgroup: { memory_max: 1536K, cpu_max: "150000 100000" } }',
      {},
      { resources: { limits: { memory: '1536Ki', cpu: '1500m' } } },
      undefined,
    ],
    [
      'accounts and capabilities',
      'user: "1000"\ngroup: "1001"\nsupplementary_groups: ["5"]\ncapabilities: [CAP_NET_BIND_SERVICE]',
      { securityContext: { supplementalGroups: [5] } },
      {
        securityContext: {
          runAsUser: 1000,
          runAsGroup: 1001,
          capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] },
          allowPrivilegeEscalation: false,
        },
      },
      undefined,
    ],
    [
      'CAP_SYS_ADMIN, with which allowPrivilegeEscalation: false would be refused',
      'user: "1"\ncapabilities: [CAP_SYS_ADMIN]',
      {},
      { securityContext: { runAsUser: 1, capabilities: { drop: ['ALL'], add: ['SYS_ADMIN'] } } },
      undefined,
    ],
    ['a user namespace', 'isolation: { user: true }', { hostUsers: false }, {}, undefined],
    [
      'a check by a command, which also says whether the service is alive',
      'deployment: { health_check: { command: ./ok, interval: 5s, attempt_timeout: 2s, timeout: 1m } }',
      {},
      {
        startupProbe: {
          exec: { command: ['sh', '-c', './ok'] },
          ...{ periodSeconds: 5, timeoutSeconds: 2, failureThreshold: 12 },
        },
        readinessProbe: {
          exec: { command: ['sh', '-c', './ok'] },
          ...{ periodSeconds: 5, timeoutSeconds: 2, failureThreshold: 3 },
        },
        livenessProbe: {
          exec: { command: ['sh', '-c', './ok'] },
          ...{ periodSeconds: 5, timeoutSeconds: 2, failureThreshold: 3 },
        },
      },
      undefined,
    ],
    [
      'a check of the start only',
      'deployment: { health_check: { command: ./ok, after_ready: off } }',
      {},
      {
        startupProbe: {
          exec: { command: ['sh', '-c', './ok'] },
          ...{ periodSeconds: 2, timeoutSeconds: 30, failureThreshold: 3 },
        },
      },
      undefined,
    ],
  ])('writes %s', (...[, service, pod, container, spec]) => {
    const { objects, losses } = write(`${ALWAYS}${service}`);
    expect(objects).toEqual([deployment(pod, container, spec)]);
    expect(losses).toEqual([]);
  });

  it('makes a Service of sockets and of the port of a check, and says what changes', () => {
    const { objects, losses } = write(`${ALWAYS}
sockets: [{ name: "The front door", listen: "127.0.0.1:8080" }, { name: admin, listen: /run/admin.sock }]
deployment: { health_check: { url: "https://localhost:8443/ok?x=1", liveness: { tcp: "db:5432" } } }`);
    expect(objects[1]).toEqual({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web', labels: LABELS },
      spec: {
        selector: LABELS,
        ports: [
          { name: 'the-front-door', port: 8080, targetPort: 'the-front-door', protocol: 'TCP' },
          { name: 'http', port: 8443, targetPort: 'http', protocol: 'TCP' },
        ],
      },
    });
    expect(objects[0]).toMatchObject(
      deployment(
        {},
        {
          startupProbe: { httpGet: { path: '/ok?x=1', port: 8443, scheme: 'HTTPS' } },
          livenessProbe: { tcpSocket: { port: 5432, host: 'db' } },
        },
      ),
    );
    expect(losses).toEqual([
      'changed web.sockets: the service must open the port itself: no descriptor is passed to it (LISTEN_FDS)',
      'lost web.sockets: a Service has no Unix sockets, such as /run/admin.sock',
      'changed web.deployment.health_check.url: the probe asks at the address of the pod: the service must listen there, not only on 127.0.0.1',
      'changed web.deployment.health_check.liveness.tcp: the probe asks at the address of the pod: the service must listen there, not only on 127.0.0.1',
    ]);
  });
});

describe('the export of secrets', () => {
  it('writes a reference and the command that makes the Secret, never the value', () => {
    const { text, objects, losses } = write(`${ALWAYS}env: { secrets: { KEY: { file: /etc/hostname } } }`);
    const valueFrom = { secretKeyRef: { name: 'web-secrets', key: 'KEY' } };
    expect(objects).toEqual([deployment({}, { env: [{ name: 'KEY', valueFrom }] })]);
    expect(text).toContain(
      '# To make it: kubectl create secret generic web-secrets --from-file=KEY=/etc/hostname\n',
    );
    expect(losses).toHaveLength(1);
  });
});

describe('the export of one-shots and schedules', () => {
  it('makes a Job that is not tried again', () => {
    const { objects, losses } = write('exec: [node]\nrestart_policy: never');
    expect(objects).toMatchObject([
      {
        apiVersion: 'batch/v1',
        kind: 'Job',
        spec: { backoffLimit: 0, template: { spec: { restartPolicy: 'Never' } } },
      },
    ]);
    expect(losses).toEqual([]);
  });

  it.each([
    ['0 3 * * *', '0 3 * * *', undefined],
    ['0 0 3 * * MON-FRI', '0 3 * * MON-FRI', undefined],
    ['0 3 * * 7', '0 3 * * 0', undefined],
    ['0 3 * * 5-7', '0 3 * * 5-6,0', undefined],
    ['0 3 * * 0-7', '0 3 * * *', undefined],
    ['0 3 * JUL THU', '0 3 * JUL THU', undefined],
    ['30 0 3 * * *', '0 3 * * *', 'a schedule has no seconds: "30 0 3 * * *" runs at second 0'],
    [
      '0 3 L * *',
      '0 3 L * *',
      'Kubernetes does not know the letters L, W, H and # of "0 3 L * *": write other days',
    ],
  ])('writes the schedule %s as %s', (expression, schedule, changed) => {
    const { objects, losses } = write(`exec: [node]\ncron: { expression: "${expression}", timezone: utc }`);
    expect(objects).toMatchObject([{ kind: 'CronJob', spec: { schedule, timeZone: 'Etc/UTC' } }]);
    expect(losses).toEqual(changed === undefined ? [] : [`changed web.cron.expression: ${changed}`]);
  });

  it.each([
    [
      'timeout: 1h',
      { startingDeadlineSeconds: 30, jobTemplate: { spec: { activeDeadlineSeconds: 3600 } } },
      [],
    ],
    ['overlap: queue, catch_up: once', { concurrencyPolicy: 'Forbid' }, []],
    [
      'overlap: queue',
      { concurrencyPolicy: 'Forbid' },
      [expect.stringMatching(/^changed web\.cron\.overlap/)],
    ],
    [
      'catch_up: once',
      { concurrencyPolicy: 'Forbid' },
      [expect.stringMatching(/^changed web\.cron\.catch_up/)],
    ],
    ['jitter: 5s', {}, [expect.stringMatching(/^lost web\.cron\.jitter/)]],
  ])('writes what happens at times without a run: %s', (keys, spec, expected) => {
    const { objects, losses } = write(
      `exec: [node]\ncron: { expression: "* * * * *", timezone: utc, ${keys} }`,
    );
    expect(objects).toMatchObject([{ spec }]);
    expect(losses).toEqual(expected);
  });
});

describe('what an export to Kubernetes loses', () => {
  it.each([
    ['max_restarts: 3', 'restarts go on without limit'],
    ['stop_signal: INT', 'Kubernetes sends the signal that the image names: write STOPSIGNAL SIGINT there'],
    [
      'user: www-data',
      'Kubernetes knows no names of accounts: write the number of "www-data", or USER in the image',
    ],
    [
      'skip: ./maybe',
      'no command decides whether the service starts; let its program end with status 0 instead',
    ],
    ['umask: "0027"', 'there is no counterpart'],
    [
      'deployment: { health_check: { log: ready } }',
      'a probe cannot wait for a line of output: use url, tcp or command',
    ],
    [
      'deployment: { health_check: { tcp: "900{instance}" } }\nreplicas: 2',
      'a pod has no number for "900{instance}": let all instances use one port',
    ],
    [
      'deployment: { health_check: { command: ./ok, on_failure: stop } }',
      'on_failure: stop: Kubernetes can only restart a container, so there is no livenessProbe',
    ],
  ])('says so: %s', (service, message) => {
    const { losses, text } = write(`${ALWAYS}${service}`);
    expect(losses.filter((line) => line.startsWith('lost'))).toEqual([expect.stringContaining(message)]);
    expect(text.replaceAll(/\n\s*# /g, ' ')).toContain(message);
  });

  it('needs an image', () => {
    const text = 'version: "2"\nservices: { web: { command: node web.js } }';
    expect(() => exported(text, kubernetesExport)).toThrow('ERR0808');
  });

  it('tells services of two projects apart', () => {
    const text =
      'version: "2"\nprojects:\n  a: { services: { Web: { exec: [x] } } }\n  b: { services: { web: { exec: [x] } } }\n';
    const { files } = exported(text, kubernetesExport, { '*': 'x' });
    expect(files.map(({ name }) => name)).toEqual(['a-web.yaml', 'b-web.yaml']);
  });
});
