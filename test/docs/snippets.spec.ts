// Every line and every manifest that the documentation shows is one that the program understands.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COMMAND_NAMES, commandFacts, isCommand } from '../../src/cli/grammar/command-table.ts';
import { translated } from '../../src/cli/grammar/words-of-other-programs.ts';
import { readLine } from '../../src/cli/grammar/read-line.ts';
import { loadText } from '../manifest/loading.ts';

const PAGES = [
  'README.md',
  ...['docs', 'docs/tutorial', 'docs/how-to', 'docs/contributing'].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
];
const textOf = (page: string): string => readFileSync(page, 'utf8');

/** In blocks, behind a prompt or indented; and between backticks. */
const SHOWN = [
  /^(?: {4}| *\$ )(?:sudo )?(?:sup|\.\/dist\/sup\.js) (.+)$/gm,
  /`(?:\$ )?sup ((?:[a-z]|--)[^`\n]*)`/g,
] as const;

/** What stands for something else is no line to be typed. */
const isForm = (line: string): boolean => /[[<…]/.test(line.replace(/'[^']*'|"[^"]*"/g, ''));

/** Up to a remark, a pipe, a redirection or the next command. */
const alone = (line: string): string => line.replace(/\s+(#|\||>|&&|;|&).*$/, '').replace(/\s+\\$/, '');

const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'),
  );

const linesIn = (page: string): readonly string[] =>
  SHOWN.flatMap((form) => [...textOf(page).matchAll(form)].map(([, line = '']) => line))
    .filter((line) => !isForm(line))
    .map(alone);

/** A word alone names the command. */
const isName = (line: string): boolean => /^[a-z]+$/.test(line);

const shown = [...new Set(PAGES.flatMap(linesIn))];
const examples = COMMAND_NAMES.flatMap((name) => commandFacts(name).examples.map(([line]) => line))
  .filter((line) => line.startsWith('sup '))
  .map((line) => alone(line.slice('sup '.length)));

describe('the command lines of the documentation and of the help', () => {
  it('documentation and help have many command lines', () => {
    expect(shown.length).toBeGreaterThan(25);
    expect(examples.length).toBeGreaterThan(30);
  });

  it.each([...shown, ...examples])('the command line is valid: sup %s', (line) => {
    if (isName(line)) expect(isCommand(line)).toBe(true);
    else expect(readLine(translated(wordsOf(line)))).toHaveProperty('tag');
  });
});

const manifests = PAGES.flatMap((page) =>
  [...textOf(page).matchAll(/```yaml\n([^]*?)```/g)].map(([, text = '']) => [page, text] as const),
);

/** The rest of a manifest that is shown in parts: what an included file holds, and what is no manifest of today. */
const isWhole = (text: string): boolean => /^version: /m.test(text);

describe('the manifests of the documentation', () => {
  it('the documentation has many complete manifests', () => {
    expect(manifests.length).toBeGreaterThan(20);
    expect(manifests.filter(([, text]) => !isWhole(text)).length).toBeLessThan(3);
  });

  it.each(manifests.filter(([, text]) => isWhole(text)))(
    'the manifests of the documentation load (%s): %s',
    (_, text) => {
      const { problems } = loadText(text, { environment: { HOME: '/home/me' } });
      const errors = problems.filter(({ severity }) => severity === 'error');
      expect(errors).toEqual([]);
    },
  );
});
