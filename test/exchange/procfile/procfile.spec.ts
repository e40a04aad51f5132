// What `sup import` makes of a Procfile, and what `sup export` makes of a manifest.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importCase, servicesIn } from '../support/import-case.ts';
import { procfileExport } from '../../../src/exchange/procfile/procfile-export.ts';
import { exported, lossLine } from '../support/exported.ts';

const PROCFILE = `# the shop
web: bundle exec puma -p $PORT -e \${RACK_ENV:-development}

worker: sleep $$
nonsense
web: second
`;

const MANIFEST = `# Imported from Procfile (procfile) by sup import.
# changed: line (line 5): foreman ignores this line, and so does the import: it is not of the form name: command
# changed: end (line 2): foreman ends all processes when one of them ends; sup restarts one that fails

version: "2"
env:
  file: .env
projects:
  shop:
    services:
      web:
        command: bundle exec puma -p $PORT -e $\${RACK_ENV:-development}
        env:
          vars: { PORT: "3000" }
        stop_timeout: 5s
      worker:
        command: sleep $$$
        env:
          vars: { PORT: "3100" }
        stop_timeout: 5s
      web-2:
        command: second
        env:
          vars: { PORT: "3200" }
        stop_timeout: 5s
`;

/** Returns the texts of the files by their names, and the losses. */
const exportedFiles = (manifest: string) => {
  const { files, losses } = exported(manifest, procfileExport);
  const texts = files.map(({ name, text }) => [name, text.replaceAll(/\/tmp\/sup-export-\w+/g, 'DIR')]);
  return { files: Object.fromEntries(texts) as Record<string, string>, rows: losses.map(lossLine) };
};

describe('import of a Procfile', () => {
  it('writes a manifest with ports and the variables of .env', async () => {
    const imported = await importCase({
      files: { Procfile: PROCFILE, '.env': 'PORT=3000\nMODE=fast\n' },
    });
    expect(imported.manifest.replaceAll(/import-\w+/g, 'shop')).toBe(MANIFEST);
    expect(servicesIn(imported)).toMatchObject([
      {
        launch: { command: 'bundle exec puma -p $PORT -e ${RACK_ENV:-development}' },
        env: { vars: { MODE: 'fast', PORT: '3000' } },
      },
      { launch: { command: 'sleep $$' } },
      { launch: { command: 'second' } },
    ]);
  });

  it.each([
    ['A=plain # no comment', { A: 'plain # no comment' }],
    ["A='it's'", { A: "it's" }],
    ['A="a\\nb \\"c\\" \\d"', { A: 'a\nb "c" d' }],
    ['A= spaced ', { A: ' spaced ' }],
    ['export A=1\nB=2', { B: '2' }],
    ['A=${HOME} $$\nnot this', { A: '${HOME} $$' }],
    ['1A=1\nB="', { B: '"' }],
  ])('gives %j the values that foreman gives it', async (text, vars) => {
    const imported = await importCase({ files: { Procfile: 'a: a\n', '.env': `${text}\n` } });
    const [service] = servicesIn(imported);
    expect(service?.env.vars).toEqual({ ...vars, PORT: '5000' });
  });

  it('tells that foreman puts the text of a value into the line', async () => {
    const files = { Procfile: 'a: x $A $B\n', '.env': "A=plain\nB='two words'\n" };
    expect((await importCase({ files })).rows).toContain(
      'changed a command:1 the shell expands $B, where foreman puts the text of its value into the line',
    );
  });

  it('tells what becomes of the options of foreman', async () => {
    const { rows } = await importCase({ files: { Procfile: 'a: a\n', '.foreman': 'port: 3000\n' } });
    expect(rows).toContain(
      'lost - .foreman:1 the options of foreman are not read; write port, timeout and formation into the services',
    );
  });

  it.each([
    [
      'web:\n',
      { code: 'ERR0802', message: 'Procfile:1 cannot be read as a Procfile: the command is missing' },
    ],
    ['# nothing\n', { code: 'ERR0804' }],
    [`${'x'.repeat(5_000_000)}: y`, { code: 'ERR0803' }],
    ['a: b\0', { code: 'ERR0803' }],
  ])('refuses a bad Procfile, case %#', async (text, document) => {
    await expect(importCase({ files: { Procfile: text } })).rejects.toMatchObject({ document });
  });
});

describe('export to a Procfile', () => {
  it('writes lines for the shell, and common variables into .env', () => {
    const { files, rows } = exportedFiles(
      `version: "2"
env: { vars: { MODE: "it's fast", LINES: "a\\nb" } }
services:
  web.main:
    exec: [node, "a b.js", "$HOME"]
    working_dir: app
    env: { vars: { PORT: 80 }, secrets: { KEY: { file: secrets/key } } }
  job: { command: "run ; all", depends_on: [web.main], replicas: 2 }
  nightly: { command: x, cron: { expression: "0 3 * * *" } }
`,
    );
    expect(files).toEqual({
      Procfile: `web-main: export PORT=80; export KEY="$(cat DIR/secrets/key)"; cd DIR/app && exec node 'a b.js' '$HOME'
job: run ; all
# lost: replicas (line 8): start it with foreman start -m job=2
# lost: depends_on (line 8): there is no counterpart
# lost: command (line 9): a Procfile has no schedules; put the line into a crontab
# lost: cron.expression (line 9): there is no counterpart
`,
      '.env': `MODE='it's fast'\nLINES="a\\nb"\n`,
    });
    expect(rows).toContain('changed web.main.name: its line is called web-main');
  });

  it('refuses no command, and loses one with a line break', () => {
    const { files, rows } = exportedFiles('version: "2"\nservices: { a: { command: "x\\ny" } }\n');
    expect(files['Procfile']).toMatch(/^# lost: command/);
    expect(rows).toHaveLength(1);
  });

  it('gives back the commands and variables that import made of it', async () => {
    const first = await importCase({
      files: { Procfile: 'a: x $Y "z"\nb: y\n', '.env': 'M="1\\n2"\nN=3\n' },
    });
    const { files } = exportedFiles(first.manifest.replace('.env', join(first.directory, '.env')));
    const again = servicesIn(
      await importCase({ files: { Procfile: files['Procfile'] ?? '', '.env': files['.env'] ?? '' } }),
    );
    expect(again.map(({ env: { vars } }) => vars)).toEqual([
      { M: '1\n2', N: '3', PORT: '5000' },
      { M: '1\n2', N: '3', PORT: '5100' },
    ]);
    expect(again.map(({ launch }) => launch)).toEqual([
      { tag: 'shell', command: 'export PORT=5000; x $Y "z"' },
      { tag: 'shell', command: 'export PORT=5100; y' },
    ]);
  });
});
