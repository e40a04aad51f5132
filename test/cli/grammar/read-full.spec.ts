import { describe, expect, it } from 'vitest';
import { Failure } from '../../../src/streams/views/errors/failure.ts';
import { COMMAND_NAMES, commandFacts, optionsOf } from '../../../src/cli/grammar/command-table.ts';
import { helpPage, readFull } from '../../../src/cli/grammar/read-full.ts';

const refusalOf = async (line: readonly string[]): Promise<Failure> => {
  try {
    await readFull(line, 80);
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown;
    throw thrown;
  }
  throw new Error(`${line.join(' ')} was understood`);
};

describe('the full reader of command lines', () => {
  it('the full reader reads short options in one word, the last with its value', async () => {
    expect(await readFull(['logs', '-fn', '20', '-s', 'shop/web'], 80)).toMatchObject({
      parsed: {
        command: 'logs',
        flags: new Set(['follow']),
        values: { lines: ['20'], service: ['shop/web'] },
      },
    });
  });

  it.each([
    [['stop', '-sshop/1'], { service: ['shop/1'] }],
    [['stop', '-pblog'], { project: ['blog'] }],
    [['stop', '-p=blog'], { project: ['blog'] }],
    [['stop', '-qpblog', '-phelp'], { project: ['blog', 'help'] }],
    [['status', '-csup.yaml'], { config: ['sup.yaml'] }],
    [['stop', '-s-dash'], { service: ['-dash'] }],
    [['kill', '-sHUP', 'shop/null'], { signal: ['HUP'] }],
    [['logs', '-n50'], { lines: ['50'] }],
    [['logs', '-fn50', '-swéb'], { lines: ['50'], service: ['wéb'] }],
  ])('the full reader takes the rest of the word after a letter as its value: %j', async (line, values) => {
    expect(await readFull(line, 80)).toMatchObject({ parsed: { command: line[0], values } });
  });

  it('the full reader finds a request for help among short options in one word', async () => {
    expect(await readFull(['stop', '-qh'], 80)).toMatchObject({ tag: 'help' });
  });

  it('the full reader leaves everything after -- alone', async () => {
    expect(await readFull(['start', '-d', '--', 'sh', '-c', 'echo 007', '--json'], 80)).toMatchObject({
      parsed: {
        command: 'start',
        flags: new Set(['daemonize']),
        tail: ['sh', '-c', 'echo 007', '--json'],
      },
    });
  });

  it('the full reader keeps values as written', async () => {
    expect(await readFull(['logs', '--lines=007', '--grep=1e3'], 80)).toMatchObject({
      parsed: { values: { lines: ['007'], grep: ['1e3'] } },
    });
  });

  it('the full reader knows --version', async () => {
    expect(await readFull(['--version'], 80)).toEqual({ tag: 'version' });
    expect(await readFull(['status', '--version'], 80)).toEqual({ tag: 'version' });
  });

  it.each<readonly [readonly string[], string, string]>([
    [['stats'], 'unknown command "stats"', 'did you mean "status"?'],
    [['frobnicate'], 'unknown command "frobnicate"', 'sup --help'],
    [['ps'], 'unknown command "ps"', 'use: sup status'],
    [['ls'], 'unknown command "ls"', 'use: sup status'],
    [['up'], 'unknown command "up"', 'use: sup start'],
    [['down'], 'unknown command "down"', 'use: sup stop --here'],
    [['top'], 'unknown command "top"', 'use: sup status --watch'],
    [['tail', 'web'], 'unknown command "tail"', 'use: sup logs -f'],
    [['start', '--detach'], 'sup start has no option --detach', 'use: sup start --daemonize'],
    [['logs', '--tail', '5'], 'sup logs has no option --tail', 'use: sup logs --lines'],
    [['status', '--jso'], 'sup status has no option --jso', 'did you mean "--json"?'],
    [['status', '--follow'], 'sup status has no option --follow', 'use: sup status --watch'],
    [['status', '-z'], 'sup status has no option -z', 'sup status --help'],
    [['status', '-qz'], 'sup status has no option -z', 'sup status --help'],
    [['status', '--toString'], 'sup status has no option --toString', 'sup status --help'],
    [['status', '--constructor'], 'sup status has no option --constructor', 'sup status --help'],
    [['shutdown', '-p', 'one'], 'sup shutdown has no option -p', 'sup shutdown --help'],
    [['validate', '-p', 'one'], 'sup validate has no option -p', 'sup validate --help'],
    [['version', '-c', 'x'], 'sup version has no option -c', 'sup version --help'],
    [['schema', '--sys'], 'sup schema has no option --sys', 'sup schema --help'],
    [['forget', '-p', 'x', 'f'], 'sup forget has no option -p', 'sup forget --help'],
    [['completion', '-p', 'x'], 'sup completion has no option -p', 'sup completion --help'],
    [['migrate', '-p', 'x'], 'sup migrate has no option -p', 'sup migrate --help'],
    [['validate', 'a', 'b'], 'sup validate does not take "b"', 'sup validate --help'],
    [['start', 'shop.yaml'], 'sup start takes services, and "shop.yaml" is a file', 'sup start -c shop.yaml'],
    [
      ['start', 'Procfile'],
      'sup start takes services, and "Procfile" is a file',
      'it is a Procfile, not a manifest of sup',
    ],
    [
      ['start', 'docker-compose.yml'],
      'sup start takes services, and "docker-compose.yml" is a file',
      'it is a Compose file, not a manifest of sup',
    ],
    [['forget'], 'sup forget needs <manifest>', 'sup forget <manifest>'],
    [['start', '--', ''], 'the program after -- has no name', 'sup start -- <program> [words…]'],
    [['start', '--'], 'nothing stands after --', 'sup start --help'],
    [['stop', '--'], 'nothing stands after --', 'sup stop --help'],
    [['kill', '-9', 'web'], 'sup kill has no option -9', 'sup kill --signal 9 <service>'],
    [['logs', '-50', 'web'], 'sup logs has no option -50', 'sup logs --lines 50 <service>'],
    [['stop', '-1', 'web'], 'sup stop has no option -1', 'sup stop --help'],
    [['status', '--', 'x'], 'sup status takes nothing after --', 'sup status --help'],
    [['stop', '-c', 'a', '-c', 'b'], '--config is given more than once', 'give it once'],
    [['stop', ''], 'sup stop: "" is no name', 'sup stop --help'],
    [['exec', '', '--', 'id'], 'sup exec: "" is no name', 'sup exec --help'],
    [['why', 'x'.repeat(4097)], `sup why: "${'x'.repeat(60)}…" is too long for a name`, 'sup why --help'],
    [
      ['plan', '-p', 'x'.repeat(4097)],
      `sup plan: "${'x'.repeat(60)}…" is too long for a name`,
      'sup plan --help',
    ],
    [['apply', '--dry-run=1'], '--dry-run takes no value, and "1" is one', '--dry-run'],
    [['purge', '--dry-run=yes', '--yes=true'], '--dry-run takes no value, and "yes" is one', '--dry-run'],
    [['shutdown', '--help=0'], '--help takes no value, and "0" is one', '--help'],
    [['status', '--json='], '--json takes no value, and "" is one', '--json'],
    [['purge', '-y=yes'], '-y takes no value, and "yes" is one', '-y'],
    [['--version=1'], '--version takes no value, and "1" is one', '--version'],
    [['stop', '--project='], '--project needs a value', '--project <id>'],
    [['--json'], 'no command given', 'sup --help'],
  ])('the full reader refuses %j with a remedy', async (line, message, hint) => {
    const { document, exit } = await refusalOf(line);
    expect({ ...document, exit }).toEqual({
      code: 'ERR0200',
      message,
      hint,
      path: null,
      at: null,
      exit: 'usage',
    });
  });

  it('the full reader takes names after the command and any number of -s and -p', async () => {
    const line = ['stop', 'api', 'shop/db', '-s', 'web-*', '--service=x', '-p', 'a', '--project', 'b'];
    expect(await readFull(line, 80)).toMatchObject({
      parsed: { operands: ['api', 'shop/db'], values: { service: ['x', 'web-*'], project: ['b', 'a'] } },
    });
  });

  it('the full reader takes several manifests for supervise only', async () => {
    expect(await readFull(['supervise', '-c', 'a', '-c', 'b', 'c'], 80)).toMatchObject({
      parsed: { values: { config: ['a', 'b'] }, operands: ['c'] },
    });
  });

  it.each([
    [['apply', '--dry-run=true'], ['dry-run']],
    [['apply', '--dry-run=false', '-q'], ['quiet']],
    [['apply', '--json', '--json=false'], []],
  ])('the full reader takes true and false as values of a flag: %j', async (line, flags) => {
    expect(await readFull(line, 80)).toMatchObject({ parsed: { flags: new Set(flags) } });
  });

  it('the full reader takes the word after a flag as an argument', async () => {
    expect(await readFull(['stop', '--json', 'false', '-q=true', 'true'], 80)).toMatchObject({
      parsed: { flags: new Set(['json', 'quiet']), operands: ['false', 'true'] },
    });
  });

  it('the full reader refuses two options that exclude each other', async () => {
    const { document, exit } = await refusalOf(['stop', '--here', '-c', 'x.yaml']);
    expect([document.code, exit]).toEqual(['ERR0204', 'usage']);
  });

  it('the full reader refuses an option without its value', async () => {
    const { document } = await refusalOf(['stop', '-p']);
    expect(document.message).toBe('--project needs a value');
  });

  it.each(COMMAND_NAMES)(
    'the full reader has a help page for %s with its options and examples',
    async (name) => {
      const page = await helpPage(name, 100);
      for (const option of optionsOf(name)) expect(page).toContain(`--${option}`);
      for (const [line] of commandFacts(name).examples) expect(page).toContain(line);
      expect(page.split('\n').every((line) => line.length <= 100)).toBe(true);
      const { operand } = commandFacts(name);
      if (operand !== undefined) expect(page).toContain(operand.describe);
    },
  );

  it.each(
    COMMAND_NAMES.flatMap((name) => commandFacts(name).examples.map(([line]) => [name, line] as const)),
  )('the full reader understands the example of %s: %s', async (name, line) => {
    // As a shell would take it apart, less what is for the shell alone.
    const [, own = ''] = /\bsup (.*?)(?:\)$| > .*|$)/.exec(line) ?? [];
    const words = (own.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((word) =>
      word.replace(/^(["'])(.*)\1$/, '$2'),
    );
    const reading = await readFull(words, 100);
    expect(reading.tag === 'parsed' && reading.parsed.command).toBe(name);
  });

  it('the full reader has an example for every command', () => {
    for (const name of COMMAND_NAMES) expect(commandFacts(name).examples.length, name).toBeGreaterThan(0);
  });

  it('the full reader lists every command in its help', async () => {
    const page = await helpPage(undefined, 100);
    for (const name of COMMAND_NAMES) expect(page).toContain(name);
  });
});
