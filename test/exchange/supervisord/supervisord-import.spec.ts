// What `sup import` makes of a configuration of supervisord.
import { describe, expect, it } from 'vitest';
import { importCase, servicesIn } from '../support/import-case.ts';

const SHOP = `; the shop
[unix_http_server]
file=/run/supervisor.sock
chmod=0770
[inet_http_server]
port=9001
[supervisord]
environment=STAGE="test"
minfds=4096
[rpcinterface:supervisor]
supervisor.rpcinterface_factory=supervisor.rpcinterface:make_main_rpcinterface
[group:shop]
programs=db,web
[program:db]
command=redis-server --port 6390
directory=/srv
priority=10
[program:web]
command=serve --port %(ENV_WEB_PORT)s "a $b" ; the shop itself
directory=/srv/shop
user=shop
environment=A="x, y",B=%(program_name)s
priority=20
autorestart=true
startsecs=5
stopsignal=INT
stopwaitsecs=30
stopasgroup=true
redirect_stderr=true
stdout_logfile=/var/log/web.log
stdout_logfile_maxbytes=20MB
[eventlistener:memmon]
command=memmon -a 200MB
events=TICK_60
`;

const MANIFEST = `# Imported from supervisord.conf (supervisord) by sup import.
# changed: [unix_http_server] chmod (line 4): only the user of the supervisor and root may use its socket,
# whatever [unix_http_server] chmod says
# lost: [inet_http_server] port (line 6): there is no server for XML-RPC; sup dashboard serves a page, and
# --host reaches other machines
# changed: [supervisord] minfds (line 9): each service gets this limit, and a higher one is lowered to 4096
# lost: [eventlistener] command (line 33): sup has no event listeners; write max_memory into the services
# changed: startretries (line 14): max_restarts counts all restarts until a service has been ready for 60 s, not
# only those within startsecs

version: "2"
logs: { max_bytes: 50M, max_files: 10 }
env:
  vars: { STAGE: test }
projects:
  shop:
    services:
      db:
        exec: [redis-server, --port, "6390"]
        working_dir: /srv
        limits:
          nofile: 4096
        max_restarts: 3
      web:
        command: exec serve --port \${WEB_PORT} "a \\$b"
        working_dir: /srv/shop
        # user has no effect without a privileged supervisor: sup start --sys
        user: shop
        env:
          inherit_env: true
          vars: { A: "x, y", B: web }
        depends_on:
          - service: db
            required: false
        restart_policy: always
        # changed: startsecs (line 25): a program counts as started after timeouts/startup_stability_ms of the settings,
        # not 5 s; deployment.health_check tells it better
        stop_signal: SIGINT
        stop_timeout: 30s
        # changed: stdout_logfile (line 30): the output is in the log of the service, which sup logs shows, and not in
        # /var/log/web.log
        logs:
          max_bytes: 20M
        limits:
          nofile: 4096
        max_restarts: 3
`;

/** Returns the only service of a program with these lines. */
const serviceWith = async (...lines: readonly string[]) => {
  const imported = await importCase({ files: { 'a.conf': `[program:a]\n${lines.join('\n')}\n` } });
  const [service] = servicesIn(imported, { X: 'x y' });
  return { service, rows: imported.rows, manifest: imported.manifest };
};

const failing = (text: string) =>
  importCase({ files: { 'a.conf': text }, format: 'supervisord' }).then(
    () => undefined,
    (thrown: unknown) => (thrown as { document: unknown }).document,
  );

describe('import of a configuration of supervisord', () => {
  it('writes a manifest with the losses at their places', async () => {
    const imported = await importCase({ files: { 'supervisord.conf': SHOP } });
    expect(imported).toMatchObject({ format: 'supervisord', services: 2, manifest: MANIFEST });
    expect(servicesIn(imported, { WEB_PORT: '80' })).toMatchObject([
      { id: 'shop/db' },
      { launch: { command: 'exec serve --port 80 "a \\$b"' }, env: { vars: { STAGE: 'test', A: 'x, y' } } },
    ]);
  });

  it.each([
    ['command=run "a b" \'c$d\' e\\ f', ['run', 'a b', 'c$d', 'e f']],
    ['command=run ${X} $$ $HOME', ['run', '${X}', '$$', '$HOME']],
    ['command=run a;b ; a comment', ['run', 'a;b']],
    ['command=run\n  --deeper # a comment\n  --last', ['run', '--deeper', '--last']],
  ])('passes the words of %j on as they are', async (line, argv) => {
    const { service } = await serviceWith(line);
    expect(service?.launch).toEqual({ tag: 'exec', argv });
  });

  it.each([
    ['command=run %(ENV_X)s *.txt', 'exec run x y \\*.txt'],
    ['command=run "%(ENV_X)s $1 `c` \\"q\\" \\x"', 'exec run "x y \\$1 \\`c\\` \\"q\\" \\\\x"'],
    ["command=run '%(ENV_X)s' $(ls)", "exec run 'x y' \\$\\(ls\\)"],
    ['command=run %(ENV_X)s $$ ${Y}', 'exec run x y \\$\\$ \\$\\{Y\\}'],
  ])('protects %j from the shell that expands its variables', async (line, command) => {
    const { service } = await serviceWith(line);
    expect(service?.launch).toEqual({ tag: 'shell', command });
  });

  it.each([
    ['exitcodes=2', 'changed a exitcodes:3 exit status 0 is a success too, whatever the list says'],
    [
      'stdout_logfile=syslog',
      'lost a stdout_logfile:3 sup writes nothing to syslog; sup logs shows the output',
    ],
    [
      'stderr_logfile=NONE',
      'changed a stderr_logfile:3 sup keeps both streams or none; the output of this one is in the log too',
    ],
    ['stderr_syslog=true', 'lost a stderr_syslog:3 sup writes nothing to syslog; sup logs shows the output'],
    [
      'stdout_capture_maxbytes=1MB',
      'lost a stdout_capture_maxbytes:3 sup has no events that processes write into their output',
    ],
    [
      'stdout_events_enabled=1',
      'lost a stdout_events_enabled:3 there are no events for lines of output; sup logs -f --json follows them',
    ],
    ['stopasgroup=false', 'changed a stopasgroup:3 sup always stops all processes of the program'],
    [
      'serverurl=http://x',
      'lost a serverurl:3 there is no XML-RPC server that the program could call; it can run the command sup',
    ],
    ['environment=A.B=1', 'lost a environment:3 no variable can have the name "A.B"'],
    [
      'stderr_logfile_maxbytes=1MB',
      'changed a stderr_logfile_maxbytes:3 both streams are in one log, for which stdout_logfile_maxbytes counts (50MB)',
    ],
    ['log_stdout=true', 'lost a log_stdout:3 sup import does not know this key'],
  ])('tells what becomes of %s', async (line, row) => {
    const { rows, manifest } = await serviceWith('command=a', line);
    expect(rows).toContain(row);
    expect(manifest.replaceAll(/\n\s*# /g, ' ')).toContain(row.replace(/^\w+ a \w+:3 /, ''));
  });

  it.each([
    'stopasgroup=true',
    'serverurl=AUTO',
    'redirect_stderr=true',
    'startsecs=1',
    'stderr_logfile_backups=10',
  ])('needs nothing for %s', async (line) => {
    const { rows } = await serviceWith('command=a', line);
    expect(rows.filter((row) => /^\w+ a /.test(row))).toEqual([]);
  });

  it('makes one service with replicas of instances that differ in their names alone', async () => {
    const { manifest } = await serviceWith('command=a', 'numprocs=3', 'process_name=a%(process_num)d');
    expect(manifest).toMatch(/ {6}a:\n {8}exec: \[a\]\n.*\n {8}replicas: 3\n/);
  });

  it('makes replicas with {instance} of numbers from 1, and services of numbers from 0', async () => {
    const lines = ['command=a %(process_num)d', 'numprocs=2', 'process_name=a%(process_num)d'];
    expect((await serviceWith(...lines, 'numprocs_start=1')).manifest).toContain('[a, "{instance}"]');
    expect((await serviceWith(...lines)).manifest).toMatch(/a0:\n.*\[a, "0"\][^]*a1:\n.*\[a, "1"\]/);
  });

  it('orders programs by priority, without those that do not start by themselves', async () => {
    const program = (name: string, ...lines: string[]) =>
      `[program:${name}]\ncommand=x\n${lines.join('\n')}\n`;
    const files = {
      'a.conf': [
        ...[
          program('c', 'priority=3'),
          program('a', 'priority=1'),
          program('b', 'priority=2', 'autostart=no'),
        ],
        program('d', 'priority=3'),
      ].join(''),
    };
    const services = servicesIn(await importCase({ files }));
    expect(
      services.map(({ name, dependsOn }) => [name, dependsOn.map(({ service }) => service.split('/')[1])]),
    ).toEqual([
      ...[
        ['c', ['a']],
        ['a', []],
        ['b', []],
        ['d', ['a']],
      ],
    ]);
  });

  it('tells that priorities do not hold across projects', async () => {
    const text =
      '[group:g]\nprograms=a\npriority=5\n[program:a]\ncommand=a\n[program:b]\ncommand=b\npriority=1\n';
    const { rows } = await importCase({ files: { 'a.conf': text } });
    expect(rows).toContain(
      'changed - [group] priority:3 projects start together; to order them, join them to one project and write depends_on',
    );
    expect(rows).toContain(
      'changed b priority:8 it orders the services of one project; projects start together',
    );
  });

  it('gives a FastCGI program its socket as standard input', async () => {
    const text = '[fcgi-program:app]\ncommand=app "x y"\nsocket=tcp://localhost:9000\nsocket_backlog=9\n';
    const [service] = servicesIn(await importCase({ files: { 'a.conf': text } }));
    expect(service).toMatchObject({
      launch: { command: 'exec app "x y" 0<&3 3<&-' },
      sockets: [{ name: 'fcgi', listen: { tag: 'tcp', port: 9000 }, backlog: 9 }],
    });
  });

  it('reads all configurations of a directory into one manifest', async () => {
    const files = { 'conf.d/b.conf': '[program:b]\ncommand=b\n', 'conf.d/a.ini': '[program:a]\ncommand=a\n' };
    const services = servicesIn(await importCase({ files, import: ['conf.d'] }));
    expect(services.map(({ id }) => id)).toEqual(['conf.d/a', 'conf.d/b']);
  });

  it('reads a file that includes itself once, and tells of a pattern without files', async () => {
    const text = '[include]\nfiles=*.conf none/*.conf\n[program:a]\ncommand=a\n';
    const { rows, services } = await importCase({ files: { 'a.conf': text } });
    expect(services).toBe(1);
    expect(rows[0]).toBe('changed - [include] files:2 no file matches none/*.conf');
  });

  it.each([
    ['[program:a\ncommand=a', 'ERR0802'],
    ['command=a', 'ERR0802'],
    ['[program:a]\nstopsignal=NOPE\ncommand=a', 'ERR0810'],
    ['[program:a]\ncommand=a "b', 'ERR0810'],
    ['[program:a]\ncommand=date +%s', 'ERR0810'],
    ['[program:a]\ncommand=%(ENV_X)d', 'ERR0810'],
    ['[program:a]\ncommand=a\nnumprocs=%(ENV_N)s', 'ERR0810'],
    ['[include]\nfiles=%(ENV_DIRECTORY)s/*.conf', 'ERR0810'],
    ['[program:a]\ncommand=a\nnumprocs=2000\nprocess_name=%(process_num)d', 'ERR0811'],
    ['[program:a]\ncommand=a\nnumprocs=99999999999999999', 'ERR0810'],
    ['[supervisord]\n', 'ERR0804'],
  ])('refuses %j with %s', async (text, code) => {
    expect(await failing(text)).toMatchObject({ code });
  });

  it('reads hostile text in linear time', async () => {
    const began = performance.now();
    const stars = '*'.repeat(2000);
    const names = Array.from({ length: 50 }, (_, index) => [`d/${'a'.repeat(200)}${index}`, ''] as const);
    await importCase({
      files: {
        'a.conf': `[include]\nfiles=d/${stars}b d/${'*a'.repeat(100)}b\n[program:a]\ncommand=a\n x=${'%%'.repeat(100_000)}\n${';'.repeat(200_000)}`,
        ...Object.fromEntries(names),
      },
    });
    expect(performance.now() - began).toBeLessThan(5000);
  });
});
