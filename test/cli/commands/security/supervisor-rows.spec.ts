import { describe, expect, it } from 'vitest';
import { judgeSupervisor } from '../../../../src/cli/commands/security/supervisor-rows.ts';
import { closingCommand } from '../../../../src/supervisor/loader/program-trust.ts';

type Facts = Parameters<typeof judgeSupervisor>[0];

const fine = (says: string): Facts['node'] => ({ id: 'x', level: 'ok', says });

/** A supervisor of root, of which nothing is open. */
const CLOSED: Facts = {
  owners: 'root',
  node: fine('Node v22.0.0 (/usr/bin/node)'),
  changeable: { node: [], program: [], path: [], hooks: [] },
  hookCount: 1,
  ...{ dataDirectory: fine('/var/lib/sup'), dataDir: '/var/lib/sup' },
  ...{ tiocsti: 0, ptraceScope: 1, landlockAbi: 6 },
};

const rowOf = (id: string, changes: Partial<Facts>): unknown =>
  judgeSupervisor({ ...CLOSED, ...changes }).find((row) => row.id === id);

describe('the rows about the supervisor', () => {
  it('a supervisor of which nothing is open has eight rows, each fine and with a detail', () => {
    const rows = judgeSupervisor(CLOSED);
    expect(rows.map(({ id }) => id)).toEqual([
      ...['program', 'node', 'path', 'data_directory', 'hooks', 'tiocsti', 'yama', 'landlock_abi'],
    ]);
    expect(rows.filter(({ verdict }) => verdict !== 'ok')).toEqual([]);
    expect(rows.every(({ detail, title }) => detail !== '' && title !== '')).toBe(true);
  });

  it.each(['node', 'program', 'path', 'hooks'] as const)('%s that others can change is open', (id) => {
    const found = ['/opt/x: it has mode 0777; with --sys neither group nor others may write it'];
    expect(rowOf(id, { changeable: { ...CLOSED.changeable, [id]: found } })).toMatchObject({
      ...{ verdict: 'open', detail: found[0], fix: 'chmod go-w /opt/x' },
    });
  });

  it('a Node that is too old is open, and no single command closes it', () => {
    const row = rowOf('node', { node: { id: 'node', level: 'problem', says: 'too old' } });
    expect(row).toMatchObject({ verdict: 'open', detail: 'too old' });
    expect(row).not.toHaveProperty('fix');
  });

  it('a data directory that others can look into has a command, other problems have none', () => {
    const says = 'others may look into it';
    expect(rowOf('data_directory', { dataDirectory: { id: 'x', level: 'warning', says } })).toMatchObject({
      ...{ verdict: 'open', detail: says, fix: 'chmod -R go= /var/lib/sup' },
    });
    const refused = rowOf('data_directory', { dataDirectory: { id: 'x', level: 'problem', says } });
    expect(refused).toMatchObject({ verdict: 'open' });
    expect(refused).not.toHaveProperty('fix');
  });

  it('the data directory of root is unknown to another user', () => {
    const { dataDirectory: _, ...facts } = CLOSED;
    expect(judgeSupervisor(facts).find(({ id }) => id === 'data_directory')).toMatchObject({
      ...{ verdict: 'unknown', detail: 'only root can look into /var/lib/sup' },
    });
  });

  it('services without programs of hooks say so', () => {
    expect(rowOf('hooks', { hookCount: 0 })).toMatchObject({
      ...{ verdict: 'ok', detail: 'no command names a program by its path' },
    });
  });
});

describe('settings of the kernel', () => {
  it.each([
    ['tiocsti', { tiocsti: 1 }, 'sysctl -w dev.tty.legacy_tiocsti=0'],
    ['yama', { ptraceScope: 0 }, 'sysctl -w kernel.yama.ptrace_scope=1'],
  ])('%s is open if it is switched off, with the command that closes it', (id, changes, fix) => {
    expect(rowOf(id, changes)).toMatchObject({ verdict: 'open', fix });
  });

  it.each([
    ['tiocsti', { tiocsti: undefined }],
    ['yama', { ptraceScope: undefined }],
    ['landlock_abi', { landlockAbi: 0 }],
    ['landlock_abi', { landlockAbi: 5 }],
  ])('%s is open if the kernel does not have it, and no command changes that', (id, changes) => {
    const row = rowOf(id, changes);
    expect(row).toMatchObject({ verdict: 'open' });
    expect(row).not.toHaveProperty('fix');
  });

  it.each([
    ['tiocsti', { tiocsti: new Error('EACCES') }],
    ['yama', { ptraceScope: new Error('EACCES') }],
    ['landlock_abi', { landlockAbi: undefined }],
  ])('%s is unknown if it cannot be read', (id, changes) => {
    expect(rowOf(id, changes)).toMatchObject({ verdict: 'unknown' });
  });
});

it.each([
  ['/opt/a: it has mode 0777; with --sys …', 'chmod go-w /opt/a'],
  ['/opt/a: it is owned by user 7; with --sys …', 'chown -h root:root /opt/a'],
  ['PATH: /opt/a b: it has mode 0777; …', "chmod go-w '/opt/a b'"],
  ['/opt/a: the directory /opt on the way to it has mode 0777; …', 'chmod go-w /opt'],
  ['/opt/a: the link /opt/it’s on the way to it is owned by user 7; …', "chown -h root:root '/opt/it’s'"],
  ["/opt/a: the link /x'y on the way to it is owned by user 7; …", String.raw`chown -h root:root '/x'\''y'`],
  ['PATH names "bin", which is another directory wherever it is used', undefined],
  ['/opt/a: there are too many links on the way to it', undefined],
  ['ENAMETOOLONG: name too long', undefined],
])('what is open is closed by a command, if one does it: %s', (sentence, command) => {
  expect(closingCommand(sentence)).toBe(command);
});
