import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../../src/streams/views/errors/command-failure.ts';
import { COMMAND_NAMES, commandFacts, optionsOf } from '../../../src/cli/grammar/command-table.ts';
import { factsOf, isValued, OPTION_NAMES } from '../../../src/cli/grammar/option-table.ts';
import { helpPage } from '../../../src/cli/grammar/help-page.ts';
import { readLine } from '../../../src/cli/grammar/read-line.ts';

const refusalOf = (line: readonly string[]): Failure => {
  try {
    readLine(line);
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown;
    throw thrown;
  }
  throw new Error(`${line.join(' ')} was understood`);
};

/** Every way to write an option with a value, and a flag. */
const waysToWrite = (name: (typeof OPTION_NAMES)[number], value: string): readonly (readonly string[])[] => {
  const { short } = factsOf(name);
  if (!isValued(name))
    return [[`--${name}`], [`--${name}=true`], ...(short === undefined ? [] : [[`-${short}`]])];
  const long = [[`--${name}`, value], [`--${name}=${value}`]];
  return short === undefined
    ? long
    : [...long, [`-${short}`, value], [`-${short}${value}`], [`-${short}=${value}`]];
};

/** The meaning of a line, or the document with which it is refused. */
const outcomeOf = (line: readonly string[]): unknown => {
  try {
    return readLine(line);
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown.document;
    throw thrown;
  }
};

describe('the reader of command lines', () => {
  it('the reader reads short options in one word, the last with its value', () => {
    expect(readLine(['logs', '-fn', '20', '-s', 'shop/web'])).toMatchObject({
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
  ])('the reader takes the rest of the word after a letter as its value: %j', (line, values) => {
    expect(readLine(line)).toMatchObject({ parsed: { command: line[0], values } });
  });

  it('the reader finds a request for help among short options in one word', () => {
    expect(readLine(['stop', '-qh'])).toMatchObject({ tag: 'help' });
  });

  it('the reader leaves everything after -- alone', () => {
    expect(readLine(['start', '-d', '--', 'sh', '-c', 'echo 007', '--json'])).toMatchObject({
      parsed: {
        command: 'start',
        flags: new Set(['daemonize']),
        tail: ['sh', '-c', 'echo 007', '--json'],
      },
    });
  });

  it('the reader keeps values as written', () => {
    expect(readLine(['logs', '--lines=007', '--grep=1e3'])).toMatchObject({
      parsed: { values: { lines: ['007'], grep: ['1e3'] } },
    });
  });

  it('the reader knows --version', () => {
    expect(readLine(['--version'])).toEqual({ tag: 'version' });
    expect(readLine(['status', '--version'])).toEqual({ tag: 'version' });
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
      'it is a Procfile; to make a manifest of it: sup import Procfile --out sup.yaml',
    ],
    [
      ['start', 'docker-compose.yml'],
      'sup start takes services, and "docker-compose.yml" is a file',
      'it is a Compose file; to make a manifest of it: sup import docker-compose.yml --out sup.yaml',
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
  ])('the reader refuses %j with a remedy', (line, message, hint) => {
    const { document, exit } = refusalOf(line);
    expect({ ...document, exit }).toEqual({
      code: 'ERR0200',
      message,
      hint,
      path: null,
      at: null,
      exit: 'usage',
    });
  });

  it('the reader takes names after the command and any number of -s and -p', () => {
    const line = ['stop', 'api', 'shop/db', '-s', 'web-*', '--service=x', '-p', 'a', '--project', 'b'];
    expect(readLine(line)).toMatchObject({
      parsed: { operands: ['api', 'shop/db'], values: { service: ['x', 'web-*'], project: ['b', 'a'] } },
    });
  });

  it('the reader takes several manifests for supervise only', () => {
    expect(readLine(['supervise', '-c', 'a', '-c', 'b', 'c'])).toMatchObject({
      parsed: { values: { config: ['a', 'b'] }, operands: ['c'] },
    });
  });

  it.each([
    [['apply', '--dry-run=true'], ['dry-run']],
    [['apply', '--dry-run=false', '-q'], ['quiet']],
    [['apply', '--json', '--json=false'], []],
  ])('the reader takes true and false as values of a flag: %j', (line, flags) => {
    expect(readLine(line)).toMatchObject({ parsed: { flags: new Set(flags) } });
  });

  it('the reader takes the word after a flag as an argument', () => {
    expect(readLine(['stop', '--json', 'false', '-q=true', 'true'])).toMatchObject({
      parsed: { flags: new Set(['json', 'quiet']), operands: ['false', 'true'] },
    });
  });

  it('the reader refuses two options that exclude each other', () => {
    const { document, exit } = refusalOf(['stop', '--here', '-c', 'x.yaml']);
    expect([document.code, exit]).toEqual(['ERR0204', 'usage']);
  });

  it('the reader refuses an option without its value', () => {
    const { document } = refusalOf(['stop', '-p']);
    expect(document.message).toBe('--project needs a value');
  });

  it.each(COMMAND_NAMES)('the reader has a help page for %s with its options and examples', async (name) => {
    const page = await helpPage(name, 100);
    for (const option of optionsOf(name)) expect(page).toContain(`--${option}`);
    for (const [line] of commandFacts(name).examples) expect(page).toContain(line);
    expect(page.split('\n').every((line) => line.length <= 100)).toBe(true);
    const { operand } = commandFacts(name);
    if (operand !== undefined) expect(page).toContain(operand.describe);
  });

  it.each(
    COMMAND_NAMES.flatMap((name) => commandFacts(name).examples.map(([line]) => [name, line] as const)),
  )('the reader understands the example of %s: %s', (name, line) => {
    // As a shell would take it apart, less what is for the shell alone.
    const [, own = ''] = /\bsup (.*?)(?:\)$| > .*|$)/.exec(line) ?? [];
    const words = (own.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((word) =>
      word.replace(/^(["'])(.*)\1$/, '$2'),
    );
    const reading = readLine(words);
    expect(reading.tag === 'parsed' && reading.parsed.command).toBe(name);
  });

  it('the reader has an example for every command', () => {
    for (const name of COMMAND_NAMES) expect(commandFacts(name).examples.length, name).toBeGreaterThan(0);
  });

  it('the reader lists every command in its help', async () => {
    const page = await helpPage(undefined, 100);
    for (const name of COMMAND_NAMES) expect(page).toContain(name);
  });

  it('the reader reads an option the same in every way to write it, before and after the command', () => {
    const options = OPTION_NAMES.filter((name) => !['help', 'version'].includes(name));
    const values = fc.constantFrom('web', 'shop/web', '10', 'a=b', '1e3', './sup.yaml');
    fc.assert(
      fc.property(
        fc.constantFrom(...COMMAND_NAMES),
        fc.constantFrom(...options),
        values,
        (command, name, value) => {
          // A letter that two options share is read as that of the command.
          const ways = waysToWrite(name, value).filter(
            ([word = '']) => word.startsWith('--') || optionsOf(command).includes(name),
          );
          const outcomes = ways.flatMap((way) => [
            outcomeOf([command, ...way]),
            outcomeOf([...way, command]),
          ]);
          for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0]);
        },
      ),
      { numRuns: 1000, seed: 7 },
    );
  });
});
