// `--host` for several machines, with a program that stands in for ssh and answers for each of them.
import { expect, it } from 'vitest';
import { DIAL } from '../../../src/client/host/dial-frames.ts';
import { withSsh } from './with-ssh.ts';

/** What each machine says; one without a list refuses the connection. */
type Machines = Readonly<Record<string, readonly object[] | undefined>>;

const answersOf = (frames: readonly object[] | undefined): string =>
  frames === undefined
    ? 'echo refused >&2; exit 255'
    : [
        `echo '{"dial":${DIAL},"version":"9.9.9"}'; read -r asked`,
        ...frames.map((frame) => `printf '%s\\n' '${JSON.stringify(frame)}'`),
      ].join('; ');

const machines = (all: Machines): string =>
  [
    'case "$*" in',
    ...Object.entries(all).map(([host, frames]) => `*"-- ${host} sup"*) ${answersOf(frames)};;`),
    'esac',
  ].join('\n');

const out = (text: string): object => ({ tag: 'out', text });
const exit = (status: number): object => ({ tag: 'exit', status });
const on = (...hosts: readonly string[]): readonly string[] => hosts.flatMap((host) => ['--host', host]);

it('each line has its host, and one that fails hides no other', async () => {
  const ssh = machines({ a: [out('1 service stopped: web\n'), exit(0)], dead: undefined });
  const { status, out: printed, err } = await withSsh(ssh, 'stop', 'web', ...on('a', 'dead'));
  expect(printed).toBe('a     1 service stopped: web\n');
  expect(err).toContain('dead  ERR0231 dead cannot be reached: refused\n');
  expect(status).toBe(1);
});

it('with --json each document names its host, errors too', async () => {
  const document = { schema: 'sup.done/1' };
  const ssh = machines({ a: [out(`${JSON.stringify(document)}\n`), exit(0)], dead: undefined });
  const { out: printed, err } = await withSsh(ssh, 'stop', 'web', '--json', ...on('a', 'dead'));
  expect(JSON.parse(printed)).toEqual({ schema: 'sup.host/1', host: 'a', document });
  expect(JSON.parse(err)).toMatchObject({ host: 'dead', document: { error: { code: 'ERR0231' } } });
});

it('logs of several machines are in the order of their times', async () => {
  const at = (second: number, text: string): object => out(`2026-01-01T00:00:0${second}.000Z ${text}\n`);
  const ssh = machines({
    a: [at(1, 'one'), out('  more\n'), at(4, 'four'), exit(0)],
    b: [at(2, 'two'), exit(0)],
  });
  const { out: printed } = await withSsh(ssh, 'logs', ...on('a', 'b'));
  expect(printed.match(/one|more|two|four/g)).toEqual(['one', 'more', 'two', 'four']);
});

it('the exit status is the worst, but an error outweighs the changes of a plan', async () => {
  const ssh = machines({ a: [exit(2)], b: [exit(1)], c: [exit(3)] });
  expect((await withSsh(ssh, 'status', '--json', ...on('a', 'b', 'c'))).status).toBe(3);
  expect((await withSsh(ssh, 'plan', ...on('a', 'b'))).status).toBe(1);
});

it('a status that is none is an error of its host', async () => {
  const status = { schema: 'sup.status/1', projects: [], supervisor: { running: false, warnings: [] } };
  const ssh = machines({
    a: [out(`${JSON.stringify(status)}\n`), exit(3)],
    b: [out('{"projects":[{"services":[7]}]}\n'), exit(0)],
  });
  const { out: printed, err, status: worst } = await withSsh(ssh, 'status', ...on('a', 'b'));
  expect(printed).toContain('a     no supervisor is running');
  expect(err).toContain('b     ERR0234 the sup on b');
  expect(worst).toBe(3);
});

it('what does not merge is refused', async () => {
  const { status, err } = await withSsh(machines({}), 'metrics', ...on('a', 'b'));
  expect(err).toContain('sup metrics --json');
  expect(status).toBe(2);
});
