import { describe, expect, it } from 'vitest';
import { completionsOf } from '../../../../src/cli/commands/completion/complete.ts';
import { COMMAND_NAMES } from '../../../../src/cli/grammar/command-table.ts';
import { GOALS } from '../../../../src/streams/wire/documents/wait-document.ts';

const names = {
  projects: ['shop', 'bank'],
  left: ['old-shop'],
  services: ['shop/web', 'shop/api', 'bank/db', 'ticker'],
  profiles: ['dev', 'debug', 'test'],
  hosts: ['box', 'bigger', 'web1'],
};

describe('completion of scale', () => {
  const scalable = { ...names, services: ['shop/web@1', 'shop/web@2', 'shop/db', 'bank/queue@1'] };

  it.each([
    ['', ['shop/web=', 'bank/queue=']],
    ['w', ['web=']],
    ['shop/', ['shop/web=']],
    ['web=', ['web=']],
  ])('completion of scale offers services with replicas: %s', (typed, offered) => {
    expect(completionsOf(['scale', typed], scalable)).toEqual(offered);
  });
});

describe('completion of the rules of mcp', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['all changes', [''], ['start:', 'stop:', 'restart:', 'scale:', 'apply:', 'rollback:', '*:']],
    ['changes that begin so', ['st'], ['start:', 'stop:']],
    [
      'the services of the only change that begins so',
      ['*'],
      ['*:shop/web', '*:shop/api', '*:bank/db', '*:ticker'],
    ],
    ['services after the colon', ['restart:sh'], ['restart:shop/web', 'restart:shop/api']],
    [
      'patterns of a project too',
      ['restart:shop/'],
      ['restart:shop/web', 'restart:shop/api', 'restart:shop/*'],
    ],
    ['services by their bare names', ['scale:w'], ['scale:web']],
    ['only the part after the colon if Bash has split there', ['restart', ':', 'ba'], ['bank/db']],
    ['all services right after the colon', ['stop', ':'], ['shop/web', 'shop/api', 'bank/db', 'ticker']],
    ['nothing for a change that does not exist', ['kill:sh'], []],
  ])('--allow offers %s', (_, typed, offered) => {
    expect(completionsOf(['mcp', '--allow', ...typed], names)).toEqual(offered);
  });

  it('--allow with an equals sign offers the same, also as Bash splits it', () => {
    expect(completionsOf(['mcp', '--allow=restart:ti'], names)).toEqual(['--allow=restart:ticker']);
    expect(completionsOf(['mcp', '--allow', '=', 'restart', ':', 'ti'], names)).toEqual(['ticker']);
  });
});

describe('completion of --host', () => {
  it.each([
    [
      ['status', '--host', 'b'],
      ['box', 'bigger'],
    ],
    [['--host', 'web'], ['web1']],
    [['status', '--host=w'], ['--host=web1']],
    [
      ['status', '--host', 'ops@b'],
      ['ops@box', 'ops@bigger'],
    ],
    [['status', '--host', 'box', '--host', 'w'], ['web1']],
  ])('completion offers the machines that ssh knows: %j', (typed, offered) => {
    expect(completionsOf(typed, names)).toEqual(offered);
  });

  it.each([
    [
      ['status', '--host', 'ops', '@', 'b'],
      ['box', 'bigger'],
    ],
    [['status', '--host', '=', 'ops', '@', 'w'], ['web1']],
    [
      ['status', '--host', 'ops', '@'],
      ['box', 'bigger', 'web1'],
    ],
    [['status', '--host', 'ops', '@', 'box', 't'], ['ticker']],
  ])('completion takes the words as Bash splits them: %j', (typed, offered) => {
    expect(completionsOf(typed, names)).toEqual(offered);
  });
});

describe('completion', () => {
  it('the kinds of events are offered, after a comma those that are not named yet', () => {
    expect(completionsOf(['events', '--kind', 'roll'], names)).toEqual(['rollout']);
    expect(completionsOf(['events', '--kind', 'health,'], names)).toContain('health,rollout');
    expect(completionsOf(['events', '--kind', 'health,'], names)).not.toContain('health,health');
  });

  it.each([
    [[''], COMMAND_NAMES],
    [['sta'], ['start', 'status']],
    [['--js'], ['--json']],
    [['status', '--w'], ['--watch']],
    [
      ['stop', '-p', ''],
      ['shop', 'bank'],
    ],
    [['stop', '--project', 'b'], ['bank']],
    [['stop', '--project', '=', 'sh'], ['shop']],
    [
      ['stop', '--project', '='],
      ['shop', 'bank'],
    ],
    [['stop', '--project=sh'], ['--project=shop']],
    [['stop', '--project=shop', 'w'], ['web']],
    [
      ['--json', 'inspect', '-s', 'shop/'],
      ['shop/web', 'shop/api', 'shop/*'],
    ],
    [['stop', 'w'], ['web']],
    [['stop', '*a*'], ['shop/api']],
    [
      ['stop', 'shop/*'],
      ['shop/web', 'shop/api'],
    ],
    [['stop', 't'], ['ticker']],
    // Shells hand a word over as it was typed.
    [['stop', '"t'], ['ticker']],
    [['stop', "'shop/w"], ['shop/web']],
    [['stop', '-p', '"shop"', "'t"], ['ticker']],
    [['stop', '"*a"*'], ['shop/api']],
    [['stop', 'shop\\/w'], ['shop/web']],
    [['stop', '--project', '=', '"sh'], ['shop']],
    [['purge', '-p', ''], ['old-shop']],
    [['purge', '--project=o'], ['--project=old-shop']],
    [['start', '-c', ''], []],
    [
      ['start', '--profile', 'de'],
      ['dev', 'debug'],
    ],
    [['validate', '--profile=t'], ['--profile=test']],
    [['completion', 'z'], ['zsh']],
    [['start', '--', 'sl'], []],
    [['stop', 'b'], ['bank/db']],
    [['stop', 'shop/web', 'shop/a'], ['shop/api']],
    [['help', 'sh'], ['shutdown']],
    [['validate', ''], []],
    [
      ['stop', '--he'],
      ['--here', '--help'],
    ],
    [['shutdown', '--pro'], []],
    [['wait', '--for', 'h'], ['healthy']],
    [
      ['logs', '--stream', 'std'],
      ['stdout', 'stderr'],
    ],
    [['wait', 'shop/web', '--timeout', ''], []],
  ])('completion offers for %j', (words, offered) => {
    expect(completionsOf(words, names)).toEqual(offered);
  });

  it('completion offers everything that wait can wait for', () => {
    expect(completionsOf(['wait', '--for', ''], names)).toEqual(GOALS);
  });
});

describe('completion of import and export', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['the formats of --format', ['import', '--format', 'superv'], ['supervisord']],
    ['the formats of --format=', ['import', '--format=procf'], ['--format=procfile']],
    ['the formats of --to', ['export', '--to', 'kub'], ['kubernetes']],
    ['no words for the file, so that the shell offers files', ['import', ''], []],
    ['no words for --out, so that the shell offers files', ['export', '--out', ''], []],
  ])('completion of import and export offers %s', (_, typed, offered) => {
    expect(completionsOf(typed, names)).toEqual(offered);
  });
});
