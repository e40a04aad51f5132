// The tutorial shows the files that it has the reader copy. `test/programs/tutorial.spec.ts` types its commands.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { notPrinted, typedIn } from '../support/docs/typed.ts';
import { filesBelow } from '../support/docs/pointers.ts';
import { loadManifest } from '../../src/manifest/load.ts';

const PAGES = readdirSync('docs/tutorial').map((name) => `docs/tutorial/${name}`);
const EXAMPLE = 'examples/tutorial';

const textOf = (file: string): string => readFileSync(file, 'utf8');

/** Without indentation and empty lines: a page shows a part of a file, further to the left. */
const flat = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');

const files = filesBelow([EXAMPLE], ['.yaml', '.mjs']).map((file) => flat(textOf(file)));

const parts = PAGES.flatMap((page) =>
  [...textOf(page).matchAll(/^```(?:yaml|yml|js)\n([^]*?)^```$/gm)].map(
    ([, part = '']) => [page, part] as const,
  ),
);

const manifests = filesBelow([EXAMPLE], ['.yaml']);

describe('the tutorial', () => {
  it('most pages of the tutorial show a part of a file', () => {
    expect(new Set(parts.map(([page]) => page)).size).toBeGreaterThan(4);
  });

  it.each(parts)('the tutorial shows what is in its files (%s): %s', (_, part) => {
    expect(files.filter((file) => file.includes(flat(part)))).not.toEqual([]);
  });

  it.each(manifests)('a manifest of the tutorial has no problem: %s', (file) => {
    const ports = { environment: { HOME: '/home/me' }, uid: process.getuid?.() ?? 0, sys: false };
    expect(loadManifest(file, ports).problems).toEqual([]);
  });
});

describe('the commands of a page', () => {
  const page = [
    '```',
    '$ sup plan',
    '+ web  add: starts',
    '$ sup apply',
    '```',
    '',
    '```sh',
    '$ never',
    '```',
  ];

  it('the commands of a page are those behind a prompt in blocks without a language', () => {
    expect(typedIn(page.join('\n'))).toEqual([
      { line: 'sup plan', shown: ['+ web  add: starts'] },
      { line: 'sup apply', shown: [] },
    ]);
  });

  it.each([
    ['web running 4711 2.4 s', 'web   running  12  389 ms'],
    ['2026-11-25T16:45:36.796Z entry 1: 4 words', '2027-01-01T00:00:00.001Z entry 1: 4 words'],
    ['/home/me/guestbook/sup.yaml: valid', '/tmp/s-1/guestbook/sup.yaml: valid'],
    ['killed … (ERR0110)', 'killed by SIGKILL (ERR0110)'],
  ])('a command may print other times, sizes and process ids than the page shows: %s', (shown, printed) => {
    expect(notPrinted([shown], `before\n${printed}\nafter`)).toBeUndefined();
  });

  it.each([
    ['entry 1: 4 words', 'entry 1: 5 words'],
    ['1 service started: web', '1 service started: api'],
    ['api running', 'api running (deploy failed)'],
  ])('a command that prints something else than the page shows is noticed: %s', (shown, printed) => {
    expect(notPrinted([shown], printed)).toBe(shown);
  });

  it('a command must print its lines in the order that the page shows', () => {
    expect(notPrinted(['one', 'two'], 'one\ntwo')).toBeUndefined();
    expect(notPrinted(['two', 'one'], 'one\ntwo')).toBe('one');
  });
});
