import { describe, expect, it } from 'vitest';
import { loadText, manifestOf, serviceWith, toldOf, wrongWith } from '../loading.ts';

describe('a service object', () => {
  it('a service has every documented default', () => {
    const { manifest, directory, digest, ...spec } = serviceWith('command: run');
    expect(manifest).toBe(`${directory}/sup.yaml`);
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(spec).toEqual({
      id: '__loose__/web',
      project: '__loose__',
      name: 'web',
      kind: 'service',
      schema: 2,
      launch: { tag: 'shell', command: 'run' },
      workingDir: directory,
      dependsOn: [],
      env: { vars: {}, inherit: false, clearSession: true, strip: [] },
      restartPolicy: 'on-failure',
      backoff: { initial: 1000, max: 30_000, factor: 2, jitter: 0 },
      maxRestarts: 8,
      stopSignal: 'SIGTERM',
      stopTimeout: 10_000,
      hooks: {},
      deployment: { strategy: 'immediate', gracePeriod: 0 },
      logs: { sink: 'file' },
      skip: false,
      spawn: { mode: 'static', children: 100, depth: 3, descendants: 500, terminationPolicy: 'cascade' },
      privilege: { supplementaryGroups: [] },
    });
  });

  it.each([
    ['command', 'command: a | b', { launch: { tag: 'shell', command: 'a | b' } }],
    ['exec', 'exec: [a, "b c", 8080]', { launch: { tag: 'exec', argv: ['a', 'b c', '8080'] } }],
    ['working_dir', 'working_dir: /srv', { workingDir: '/srv' }],
    ['restart_policy always', 'restart_policy: always', { restartPolicy: 'always' }],
    ['restart_policy never', 'restart_policy: never', { restartPolicy: 'never' }],
    ['max_restarts', 'max_restarts: 0', { maxRestarts: 0 }],
    ['stop_signal', 'stop_signal: SIGINT', { stopSignal: 'SIGINT' }],
    ['stop_signal without SIG', 'stop_signal: HUP', { stopSignal: 'SIGHUP' }],
    ['control', 'control: true', { control: true }],
    ['umask', 'umask: "0027"', { umask: '0027' }],
    ['umask of three digits', 'umask: "077"', { umask: '0077' }],
    ['skip as bool', 'skip: true', { skip: true }],
    ['skip as command', 'skip: test -f x', { skip: 'test -f x' }],
  ])('a service accepts %s', (_, fields, expected) => {
    expect(serviceWith(fields)).toMatchObject(expected);
  });

  it('a service resolves a relative working_dir from the directory of the manifest', () => {
    const { workingDir, directory } = serviceWith('working_dir: app/../data');
    expect(workingDir).toBe(`${directory}/data`);
  });

  it.each([
    ['command: ""', 'command: "" is empty'],
    ['command: 12', 'command: 12 is not a string'],
    ['command: [a]', 'command: a list is not a string'],
    ['command:', 'command: nothing is not a string'],
    ['command: "a\\0b"', 'command: "a\\x00b" contains a NUL character'],
    ['umask: 0027', 'umask: 0027 is not an octal mask'],
    ['umask: 27', 'umask: 27 is not an octal mask'],
    ['umask: "028"', 'umask: "028" is not an octal mask of three or four digits, such as "0027"'],
    ['umask: "0700"', 'umask: "0700" takes rights from the owner of a file, who is the service itself'],
    ['exec: []', 'exec: 0 entries; it takes at least one entry'],
    ['exec: a b', 'exec: "a b" is not a list'],
    ['exec: [[a]]', 'exec[0]: a list is not a string'],
    ['working_dir: [x]', 'working_dir: a list is not a string'],
    ['restart_policy: sometimes', 'restart_policy: "sometimes" is not one of always, on-failure, never'],
    ['max_restarts: -1', 'max_restarts: -1 is not a whole number, 0 or more'],
    [
      'max_restarts: 9007199254740992',
      'max_restarts: 9007199254740992 is larger than 9007199254740991, the largest number',
    ],
    ['max_restarts: 1.5', 'max_restarts: 1.5 is not a whole number, 0 or more'],
    ['max_restarts: "3"', 'max_restarts: "3" is not a whole number, 0 or more'],
    ['success_exit_codes: [256]', 'success_exit_codes[0]: 256 is no exit status: they go from 0 to 255'],
    [
      'success_exit_codes: ["3"]',
      'success_exit_codes[0]: "3" is neither an exit status nor the name of a signal',
    ],
    [
      'success_exit_codes: [-1]',
      'success_exit_codes[0]: -1 is neither an exit status nor the name of a signal',
    ],
    [
      'success_exit_codes: [SIGTRM]',
      'success_exit_codes[0]: "SIGTRM" is neither an exit status nor the name of a signal',
    ],
    [
      'success_exit_codes: [1.5]',
      'success_exit_codes[0]: 1.5 is neither an exit status nor the name of a signal',
    ],
    ['success_exit_codes: []', 'success_exit_codes: 0 entries; it takes at least one entry'],
    ['success_exit_codes: 143', 'success_exit_codes: 143 is not a list'],
    [
      'watch: { paths: [a], action: reload }',
      'watch.action: "reload" is neither restart nor the name of a signal',
    ],
    ['watch: { paths: [a], ignore: ["!a"] }', 'watch.ignore[0]: "!a" has `!` or a list in braces'],
    [
      'watch: { paths: [a], ignore: ["*.{js,ts}"] }',
      'watch.ignore[0]: "*.{js,ts}" has `!` or a list in braces',
    ],
    ['watch: { paths: ["src/*"] }', 'watch.paths[0]: "src/*" is a pattern'],
    ['stop_signal: SIGFOO', 'stop_signal: "SIGFOO" is not the name of a signal'],
    ['skip: 3', 'skip: 3 is neither true, false nor a command'],
    ['skip: ""', 'skip: "" is neither true, false nor a command'],
    ['hooks: x', 'hooks: "x" is not a map'],
    ['env: [a]', 'env: a list is not a map'],
  ])('a service refuses %s (ERR0213)', (fields, told) => {
    expect(wrongWith(fields)).toEqual([`ERR0213 ${told}`]);
  });

  it('a service refuses a debounce below 50 ms', () => {
    expect(wrongWith('watch: { paths: [a], debounce: 49ms }')).toEqual([
      'ERR0210 watch.debounce: "49ms" is shorter than 50ms',
    ]);
    expect(wrongWith('watch: { paths: [a], debounce: 50ms }')).toEqual([]);
  });

  it('a service declares command or exec, never both', () => {
    expect(wrongWith('command: a\nexec: [b]')).toEqual(['ERR0222 exec: command and exec exclude each other']);
    expect(wrongWith('command: a\nessential: true\ncron: { expression: "* * * * *" }')).toEqual([
      'ERR0222 essential: cron and essential exclude each other',
    ]);
    expect(toldOf(loadText('version: 2\nservices: { web: {} }').problems)).toEqual([
      'ERR0213 services.web: needs command or exec',
    ]);
  });

  it('a service names its image in x-image, a text that is no part of its declaration', () => {
    const { manifest, problems } = loadText(
      'version: 2\nprojects: { shop: { services: { web: { command: a, x-image: "web:${TAG}" } } } }',
      { environment: { TAG: '2' } },
    );
    expect(problems).toEqual([]);
    expect(manifest?.images).toEqual({ 'shop/web': 'web:2' });
    expect(JSON.stringify(manifest?.services)).not.toContain('web:2');
    expect(wrongWith('x-image: ""')).toEqual(['ERR0213 x-image: "" is empty']);
  });

  it('a service lists exit statuses and signals that count as a success', () => {
    const environment = { CODE: '143' };
    expect(serviceWith('success_exit_codes: [3, TERM, SIGINT, "${CODE}"]', { environment })).toMatchObject({
      successExitCodes: [3, 'SIGTERM', 'SIGINT', 143],
    });
    expect(serviceWith('command: x')).not.toHaveProperty('successExitCodes');
  });

  it('a service has a limit of its memory, for 30 s unless it says otherwise', () => {
    expect(serviceWith('max_memory: 512M')).toMatchObject({ maxMemory: 536_870_912, maxMemoryFor: 30_000 });
    expect(serviceWith('max_memory_for: 2s\nmax_memory: 1k')).toMatchObject({ maxMemoryFor: 2_000 });
    expect(serviceWith('command: x')).not.toHaveProperty('maxMemoryFor');
  });

  it('a service watches files, at absolute paths', () => {
    expect(
      serviceWith('watch: { paths: [src, /etc/x], ignore: [dist], debounce: 1s, action: HUP }'),
    ).toMatchObject({
      watch: {
        paths: [expect.stringMatching(/^\/.*\/src$/), '/etc/x'],
        ignore: ['dist'],
        debounce: 1_000,
        action: 'SIGHUP',
      },
    });
    expect(serviceWith('watch: { paths: [src] }')).toMatchObject({
      watch: { debounce: 300, action: 'restart' },
    });
  });

  it('a service has a command that begins its stop', () => {
    expect(serviceWith('stop_command: "pg_ctl stop"')).toMatchObject({ stopCommand: 'pg_ctl stop' });
    expect(serviceWith('command: x')).not.toHaveProperty('stopCommand');
  });

  it('a service accepts a number or a flag from a variable', () => {
    const environment = { N: '5', SKIP: 'true' };
    expect(serviceWith('max_restarts: ${N}\nskip: "${SKIP}"', { environment })).toMatchObject({
      maxRestarts: 5,
      skip: true,
    });
  });

  it.each([
    ['health_check: {}', 'it stands under deployment.health_check'],
    ['blue_green: {}', 'it stands under deployment.blue_green'],
    ['nofile: 64', 'it stands under limits.nofile'],
    ['deploy: {}', 'it is called deployment'],
    ['enviroment: {}', 'variables stand under env.vars'],
    ['healthcheck: {}', 'health checks stand under deployment.health_check'],
    ['environment: { A: b }', 'variables stand under env.vars'],
    ['env_file: .env', 'it stands under env.file'],
    ['restart: always', 'restart_policy: always, on-failure or never'],
    ['cwd: /srv', 'it is called working_dir'],
    ['working_directory: /srv', 'it is called working_dir'],
    ['on_error: x', 'hooks.onerr runs after an unsuccessful exit'],
    ['image: nginx', 'sup runs programs, not images: give command or exec'],
    ['args: [a]', 'give the program and its arguments in exec: [program, argument, …]'],
    ['autostart: true', 'every service starts with its project; skip: true leaves one out'],
    ['autorestart: true', 'restart_policy: always, on-failure or never'],
    ['numprocs: 4', 'replicas starts several instances of a service, such as web@1 and web@2'],
    ['instances: 4', 'replicas starts several instances of a service, such as web@1 and web@2'],
    ['directory: /srv', 'it is called working_dir'],
    ['stop_grace_period: 5s', 'it is called stop_timeout'],
    ['exitcodes: [0, 2]', 'it is called success_exit_codes'],
    ['startsecs: 5', /^timeouts\/startup_stability_ms of supervisor\.xml /],
    ['volumes: [a]', /isolation\.landlock/],
    ['labels: [a]', 'sup knows no labels: write a comment instead'],
    ['readiness_probe: {}', /^it stands under deployment\.health_check/],
    ['liveness_probe: {}', 'it is called liveness, and stands under deployment.health_check'],
    ['availability: {}', 'restart_policy, backoff and max_restarts stand in the service itself'],
    ['shutdown: {}', 'stop_command, stop_signal and stop_timeout stand in the service itself'],
    ['max_memory_restart: 512M', 'it is called max_memory'],
    ['cron_restart: "0 0 * * *"', 'give a service of its own cron, and the command sup restart <service>'],
    ['script: a.js', 'give command (a line for the shell) or exec (a list of words)'],
    ['stdout_logfile: a', 'sup captures the output: sup logs shows it, and logs sets its sizes'],
    ['ExecStart: a', 'give command (a line for the shell) or exec (a list of words)'],
    ['secrets: {}', 'they stand under env.secrets, each as NAME: { file: path }'],
    ['liveness: {}', 'it stands under deployment.health_check'],
    ['alerts: []', 'alerts stand at the top level, for the whole manifest'],
    ['ports: [80]', 'a service opens its ports itself; give it the number in env.vars'],
  ])('a service suggests the key for the word of another tool: %s', (fields, hint) => {
    const { problems } = loadText(manifestOf(fields));
    const [key = ''] = fields.split(':');
    const told = typeof hint === 'string' ? hint : (expect.stringMatching(hint) as string);
    expect(problems).toMatchObject([{ code: 'ERR0211', path: `services.web.${key}`, hint: told }]);
  });

  it.each([
    ['restart_policy: unless-stopped', 'write always: a service that was stopped by hand stays down'],
    ['cron: { expression: "@daily" }', 'write "0 0 * * *"'],
    ['cron: { expression: "@reboot" }', 'leave cron out: a service starts with its project'],
    [
      'deployment: { strategy: blue_green }',
      'it has a key of its own: blue_green: { slots: […], switch_command: … }, without strategy',
    ],
    ['deployment: { health_check: { command: a, test: b } }', 'it is called command, one line for the shell'],
    ['deployment: { health_check: { command: a, tcp_socket: 80 } }', 'it is called tcp, a port or host:port'],
    ['cron: { expression: "* * * * *", schedule: "0 0 * * *" }', 'it is called expression'],
    [
      'reload: { signal: SIGHUP, command: ./a.sh }',
      'write the command itself, without a key: reload: ./reload.sh',
    ],
  ])('a service suggests the value or key for that of another tool: %s', (fields, hint) => {
    expect(loadText(manifestOf(fields)).problems).toMatchObject([{ severity: 'error', hint }]);
  });

  it.each([
    ['yes', 'write true'],
    ['On', 'write true'],
    ['NO', 'write false'],
    ['off', 'write false'],
  ])('a service accepts %s as no skip command', (word, hint) => {
    const { problems } = loadText(manifestOf(`skip: ${word}`));
    const message = `"${word}" is neither true nor false, nor a command`;
    expect(problems).toMatchObject([{ code: 'ERR0213', path: 'services.web.skip', message, hint }]);
  });

  it.each(['user: ""', 'group: " "', 'supplementary_groups: [""]'])(
    'a service refuses an empty account: %s',
    (field) => {
      const wrong = wrongWith(field).filter((line) => !line.startsWith('ERR0705'));
      expect(wrong).toHaveLength(1);
      expect(wrong[0]).toMatch(/^ERR0213 .* is empty$/);
    },
  );

  it('a service names a program in exec', () => {
    expect(wrongWith('exec: ["", x]')).toEqual(['ERR0213 exec[0]: is empty: it names the program']);
    expect(wrongWith('exec: [x, ""]')).toEqual([]);
  });

  it('a service warns of a ${VAR} in exec, which is not expanded unless by a shell', () => {
    const { manifest, problems } = loadText(manifestOf('exec: [node, --port, "${PORT}"]'));
    expect(manifest?.services[0]?.launch).toEqual({ tag: 'exec', argv: ['node', '--port', '${PORT}'] });
    expect(problems).toMatchObject([
      {
        code: 'ERR0216',
        severity: 'warning',
        path: 'services.web.exec[2]',
        message: '"${PORT}" is not expanded: the entries of exec are taken as they are',
      },
    ]);
    expect(wrongWith('exec: [/bin/sh, -c, "echo ${PORT}"]')).toEqual([]);
    expect(wrongWith('exec: [awk, "{ print $1 }", "$PORT"]')).toEqual([]);
  });
});
