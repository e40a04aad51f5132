// The manual pages of the commands: options and examples come from the program, the text from
// docs/commands.md.
import type { MarkedToken, Token, Tokens } from 'marked';
import { commandFacts, isCommand, type CommandName } from '../../src/cli/grammar/command-table.ts';
import { factsOf, type OptionName } from '../../src/cli/grammar/option-table.ts';
import { blockLines, tagged, type Item } from './blocks.ts';
import { exitStatusLines } from './exit-status.ts';
import { inline, known } from './inline.ts';
import { exampleLines, page, seeAlso, type Reference } from './page.ts';
import { prose, textLines } from './roff.ts';
import { sectionOf, tablesOf, type Section } from './sections.ts';
import { formLines } from './synopsis.ts';

export const SUP: Reference = { name: 'sup', section: 1 };
export const MANIFEST: Reference = { name: 'sup.yaml', section: 5 };
export const pageOf = (command: CommandName): Reference => ({ name: `sup-${command}`, section: 1 });

/**
 * Returns the forms of a command line for the synopsis. They are in the first code block of the command's
 * section.
 */
const formsOf = (command: CommandName, { tokens }: Section): readonly string[] => {
  const code = tokens.find((token) => token.type === 'code');
  const forms = (code?.text ?? '').split('\n').filter((line) => line.startsWith(`sup ${command}`));
  if (forms.length === 0) throw new Error(`docs/commands.md does not show how sup ${command} is written`);
  return forms;
};

/** Titles of tables that have their own part of the page. */
const OWN_PART = ['Option', 'Exit status'];

const hasOwnPart = (token: MarkedToken): boolean =>
  token.type === 'table' && OWN_PART.includes(token.header[0]?.text ?? '');

/** True for a code block with the output of the command. It follows a comment that says so. */
const isExample = (token: MarkedToken, at: number, tokens: readonly MarkedToken[]): boolean =>
  token.type === 'code' &&
  tokens
    .slice(0, at)
    .findLast(({ type }) => type !== 'space')
    ?.raw.startsWith('<!-- example') === true;

/** Returns the section without everything that has its own part of the page. */
const textOf = ({ tokens }: Section): readonly MarkedToken[] => {
  const forms = tokens.findIndex((token) => token.type === 'code');
  return tokens.filter(
    (token, index) => index !== forms && !hasOwnPart(token) && !isExample(token, index, tokens),
  );
};

/** Returns the command's output, if the documentation shows it. */
const shownLines = ({ tokens }: Section): readonly string[] => {
  const shown = tokens.filter(isExample);
  return shown.length === 0 ? [] : ['.Pp', 'What it prints:', ...blockLines(shown)];
};

/** Returns the spellings of an option, with the name of its value. */
const optionTag = (name: OptionName): string => {
  const { short, value } = factsOf(name);
  const ways = [...(short === undefined ? [] : [`Fl ${short}`]), `Fl -${name}`];
  return `${ways.join(' , ')}${value === undefined ? '' : ` Ar ${value}`}`;
};

const meaningIn = (tables: readonly Tokens.Table[], name: OptionName): Tokens.TableCell | undefined =>
  tables
    .flatMap(({ rows }) => rows)
    .find(([option]) => option?.text.match(/--[a-z-]+/)?.[0] === `--${name}`)?.[1];

/** Returns options with their meaning from the documentation, or else from the help. */
export const optionItems = (section: Section, names: readonly OptionName[]): readonly Item[] => {
  const tables = tablesOf(section, 'Option');
  return names.map((name) => {
    const meaning = meaningIn(tables, name);
    const text = meaning === undefined ? prose(factsOf(name).describe) : inline(meaning.tokens);
    return { tag: optionTag(name), body: textLines(text) };
  });
};

const GLOBAL_OPTIONS = ['.Pp', 'The options that every command takes are in', '.Xr sup 1 .'];

const optionLines = (command: CommandName, section: Section): readonly string[] => {
  const { options } = commandFacts(command);
  if (options.length === 0) return GLOBAL_OPTIONS.slice(1);
  return [...tagged(optionItems(section, options)), ...GLOBAL_OPTIONS];
};

/** Returns all tokens, including those inside others. */
const everyToken = (tokens: readonly Token[]): readonly MarkedToken[] =>
  known(tokens).flatMap((token) => [
    token,
    ...('tokens' in token ? everyToken(token.tokens ?? []) : []),
    ...(token.type === 'list' ? everyToken(token.items) : []),
    ...(token.type === 'table' ? token.rows.flat().flatMap((cell) => everyToken(cell.tokens)) : []),
  ]);

const NAMED = /^sup ([a-z]+)\b/;

/** Returns the pages that a section mentions: other commands, and the manifest. */
const mentionedIn = ({ tokens }: Section): readonly Reference[] =>
  everyToken(tokens).flatMap((token) => {
    if (token.type === 'link' && token.href.startsWith('manifest.md')) return [MANIFEST];
    const name = token.type === 'codespan' ? (NAMED.exec(token.text)?.[1] ?? '') : '';
    return isCommand(name) ? [pageOf(name)] : [];
  });

const HAS_MANUAL = ['commands.md', 'manifest.md'];

/** Returns lines with the linked documents that have no manual page. */
export const documentLines = (tokens: readonly Token[]): readonly string[] => {
  const links = everyToken(tokens).flatMap((token) => (token.type === 'link' ? token.href : []));
  const pages = links
    .flatMap((href) => /^[\w/-]+\.md/.exec(href) ?? [])
    .filter((page) => !HAS_MANUAL.includes(page));
  const names = [...new Set(pages)].sort();
  if (names.length === 0) return [];
  const list = names.map((name, index) => `.Pa docs/${name}${index === names.length - 1 ? '' : ' ,'}`);
  return ['.Pp', 'The documentation of', '.Nm sup', 'has more:', ...list];
};

const seeAlsoFor = (command: CommandName, section: Section): readonly string[] => {
  const own = pageOf(command).name;
  return [
    ...seeAlso([SUP, ...mentionedIn(section).filter(({ name }) => name !== own)]),
    ...documentLines(section.tokens),
  ];
};

/** Returns the manual page of a command. */
export const commandPage = (command: CommandName, sections: readonly Section[], date: Date): string => {
  const section = sectionOf(sections, command);
  const [general] = tablesOf(sectionOf(sections, 'Exit status'), 'Status');
  const [own] = tablesOf(section, 'Exit status');
  if (general === undefined) throw new Error('docs/commands.md has no table of exit statuses');
  const { summary, examples } = commandFacts(command);
  return page(pageOf(command), date, {
    summary: `${summary.slice(0, 1).toLowerCase()}${summary.slice(1)}`,
    parts: [
      { title: 'SYNOPSIS', lines: formsOf(command, section).flatMap(formLines) },
      { title: 'DESCRIPTION', lines: blockLines(textOf(section)) },
      { title: 'OPTIONS', lines: optionLines(command, section) },
      { title: 'EXIT STATUS', lines: exitStatusLines(command, general, own) },
      { title: 'EXAMPLES', lines: [...exampleLines(examples), ...shownLines(section)] },
      { title: 'SEE ALSO', lines: seeAlsoFor(command, section) },
    ],
  });
};
