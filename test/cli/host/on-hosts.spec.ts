// `--host` with programs that stand in for ssh: what each failure becomes, and what is passed on.
import { expect, it } from 'vitest';
import { DIAL } from '../../../src/client/host/dial-frames.ts';
import { withSsh, withSshAndInput } from './with-ssh.ts';

const GREETING = `echo '{"dial":${DIAL},"version":"9.9.9"}'`;
const say = (...frames: readonly object[]): string =>
  [
    GREETING,
    'read -r asked',
    'printf %s "$asked" >asked',
    ...frames.map((frame) => `printf '%s\\n' '${JSON.stringify(frame)}'`),
  ].join('\n');

const failing = (status: number, ...lines: readonly string[]): string =>
  [...lines.map((line) => `echo '${line}' >&2`), `exit ${status}`].join('\n');

const FAILURES: readonly (readonly [what: string, ssh: string | undefined, first: string])[] = [
  ['no ssh', undefined, 'ERR0230 ssh cannot be started: there is no program ssh in PATH'],
  [
    'a refused connection',
    failing(255, 'ssh: connect to host box port 22: Connection refused'),
    'ERR0231 box cannot be reached: ssh: connect to host box port 22: Connection refused',
  ],
  [
    'a password that nothing can ask for',
    failing(255, 'box: Permission denied (publickey,password).'),
    'ERR0231 box cannot be reached: box: Permission denied (publickey,password).',
  ],
  [
    'an unknown host key',
    failing(255, 'No ED25519 host key is known for box.', 'Host key verification failed.'),
    'ERR0232 the host key of box is not accepted: Host key verification failed.',
  ],
  [
    'a host without sup',
    failing(127, 'sh: 1: sup: not found'),
    'ERR0233 there is no sup on box: sh: 1: sup: not found',
  ],
  [
    'a sup without dial-stdio',
    failing(2, 'ERR0200 unknown command "dial-stdio"', '  sup --help'),
    'ERR0234 the sup on box is of another version, with which this sup cannot speak',
  ],
  [
    'a sup that speaks otherwise',
    'echo \'{"dial":0,"version":"0.0.1"}\'; sleep 60',
    'ERR0234 the sup on box is version 0.0.1, with which this sup cannot speak',
  ],
  [
    'a connection that times out',
    failing(255, 'ssh: connect to host box port 22: Connection timed out'),
    'ERR0236 box did not answer within ',
  ],
  [
    'a connection lost during the command',
    [say({ tag: 'alive' }), failing(255, 'client_loop: send disconnect: Broken pipe')].join('\n'),
    'ERR0235 the connection to box was lost: client_loop: send disconnect: Broken pipe',
  ],
  ['an answer without end', 'head -c 3000000 /dev/zero', 'ERR0231 box cannot be reached: '],
];

for (const [what, ssh, first] of FAILURES)
  it(`an error says what happened: ${what}`, async () => {
    const { status, err } = await withSsh(ssh, 'status', '--host', 'box');
    expect(err.split('\n')[0]).toContain(first);
    expect(status).toBe(1);
  });

it('an error of ssh that names escape sequences prints none', async () => {
  const ssh = "printf 'a \\033]0;title\\007 b\\n' >&2; exit 255";
  const { err } = await withSsh(ssh, 'status', '--host', 'box');
  expect(err).toContain('a \\x1b]0;title\\x07 b');
});

it('a command that changes something says that its outcome is not known', async () => {
  const { err } = await withSsh(say(), 'restart', 'web', '--host', 'box');
  expect(err).toContain('ERR0235 the connection to box was lost, and what came of restart is not known');
});

it('ssh gets the destination after --, and asks for nothing without a terminal', async () => {
  const { file } = await withSsh(say({ tag: 'exit', status: 0 }), 'status', '--host', 'me@box:/srv/sup');
  expect(file('words')).toContain('BatchMode=yes\n--\nme@box\nsup dial-stdio\n');
  expect(JSON.parse(file('asked'))).toMatchObject({ ask: 'run', line: ['status'], dataDir: '/srv/sup' });
});

it('the words of the command arrive as they are, without --host', async () => {
  const line = ['start', '--host=box', '--name', 'a b', '--', 'sh', '-c', 'echo "$0" --host', '--host', 'x'];
  const { file } = await withSsh(say({ tag: 'exit', status: 0 }), ...line);
  expect(JSON.parse(file('asked'))).toMatchObject({ line: line.filter((word) => word !== '--host=box') });
});

it('output and exit status are those of the other machine, without what a terminal would execute', async () => {
  const frames = [
    { tag: 'out', text: 'a \u001b[31mred\u001b[0m \u001b[2Jb\n' },
    { tag: 'err', text: 'c\u0007\n' },
  ];
  const ran = await withSsh(
    say(...frames, { tag: 'unheard-of' }, { tag: 'exit', status: 3 }),
    'status',
    '--host',
    'box',
  );
  expect(ran).toMatchObject({ status: 3, out: 'a red b\n', err: 'c\\x07\n' });
});

it('what the shell there prints before the greeting is skipped', async () => {
  const ran = await withSsh(`echo welcome\n${say({ tag: 'exit', status: 0 })}`, 'status', '--host', 'box');
  expect(ran.status).toBe(0);
});

it('a manifest of this machine is refused, with the scp line', async () => {
  const { status, err, file } = await withSsh(
    `touch sup.yaml\n${say({ tag: 'missing', path: 'ssh' })}`,
    ...['start', '--host', 'me@box', '-c', 'ssh'],
  );
  expect(JSON.parse(file('asked'))).toMatchObject({ manifests: ['ssh'] });
  expect(err).toContain('ERR0200 "ssh" is a file of this machine');
  expect(err).toContain('scp ssh me@box:ssh');
  expect(status).toBe(2);
});

for (const host of ['-oProxyCommand=x', '', 'a b', 'ssh://'])
  it(`--host ${JSON.stringify(host)} is refused before ssh is started`, async () => {
    const { status, err } = await withSsh(failing(255, 'reached'), 'status', `--host=${host}`);
    expect(err).toContain('ERR0200');
    expect(status).toBe(2);
  });

it('a command that speaks for this machine takes no --host', async () => {
  const { status, err } = await withSsh(failing(255, 'reached'), 'exec', 'web', '--host', 'box', '--', 'ls');
  expect(err).toContain('ERR0200 sup exec takes no --host');
  expect(status).toBe(2);
});

it('standard input of this machine is passed on in parts', async () => {
  const text = `# ${'x'.repeat(100_000)}\n`;
  const collect =
    'while read -r more; do printf "%s\\n" "$more" >>input; case $more in *base64*) ;; *) break ;; esac; done';
  const ssh = [
    GREETING,
    'read -r asked',
    'printf %s "$asked" >asked',
    collect,
    `echo '{"tag":"exit","status":0}'`,
  ];
  const line = ['validate', '-c', '-', '--host', 'box'];
  const { status, file } = await withSshAndInput(ssh.join('\n'), text, line);
  const parts = file('input')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { base64?: string });
  expect(parts).toHaveLength(4);
  expect(parts.map(({ base64 = '' }) => Buffer.from(base64, 'base64').toString()).join('')).toBe(text);
  expect(JSON.parse(file('asked'))).toMatchObject({ line: ['validate', '-c', '-'], manifests: [] });
  expect(status).toBe(0);
});

it('a command that registers refuses standard input before ssh is started', async () => {
  const { status, err } = await withSsh(failing(255, 'reached'), 'start', '-c', '-', '--host', 'box');
  expect(err).toContain('ERR0244 sup start takes no manifest from standard input');
  expect(status).toBe(2);
});
