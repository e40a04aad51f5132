// All manual pages: sup(1), one for each command, and sup.yaml(5).
import { COMMAND_NAMES, commandFacts, isCommand } from '../../src/cli/grammar/command-table.ts';
import { GLOBAL } from '../../src/cli/grammar/option-table.ts';
import { blockLines, tagged } from './blocks.ts';
import { commandPage, documentLines, MANIFEST, optionItems, pageOf, SUP } from './command-pages.ts';
import { exampleLines, page, seeAlso, type Part, type Reference } from './page.ts';
import { prose, textLines } from './roff.ts';
import { sectionOf, sectionsOf, type Section } from './sections.ts';

/** Texts of the pages in docs/ from which the manual pages are made. */
export interface Documents {
  readonly commands: string;
  readonly manifest: string;
  readonly behaviour: string;
}

const PAGES: readonly Reference[] = COMMAND_NAMES.map(pageOf);

const OPTIONS = 'Options that every command takes';

/** Sections of docs/commands.md that become parts with a conventional title. */
const USUAL: Readonly<Record<string, string>> = { Environment: 'ENVIRONMENT', 'Exit status': 'EXIT STATUS' };

const isGeneral = ({ title }: Section): boolean =>
  title !== '' && title !== OPTIONS && !Object.hasOwn(USUAL, title) && !isCommand(title);

const partOf = ({ title, tokens }: Section): Part => ({
  title: USUAL[title] ?? title.toUpperCase(),
  lines: blockLines(tokens),
});

const commandList = (): readonly string[] =>
  tagged(
    COMMAND_NAMES.map((name) => ({
      tag: `Xr ${pageOf(name).name} 1`,
      body: textLines(`${prose(commandFacts(name).summary)}.`),
    })),
  );

/** Returns where the data directory is, and the table of its files. */
const fileLines = (behaviour: string): readonly string[] => {
  const { tokens } = sectionOf(sectionsOf(behaviour), 'Names and places');
  const [where, files] = ['paragraph', 'table'].map((kind) => tokens.find(({ type }) => type === kind));
  if (where === undefined || files === undefined) throw new Error('docs/behaviour.md has no table of files');
  return blockLines([where, files]);
};

const SYNOPSIS = ['.Nm', '.Ar command', '.Op Ar option ...', '.Nm', '.Cm help', '.Op Ar command'];

const supPage = ({ commands, behaviour }: Documents, date: Date): string => {
  const sections = sectionsOf(commands);
  const named = (title: string): Section => sectionOf(sections, title);
  return page(SUP, date, {
    summary: 'process supervisor for services declared in YAML',
    parts: [
      { title: 'SYNOPSIS', lines: SYNOPSIS },
      { title: 'DESCRIPTION', lines: blockLines(named('').tokens) },
      { title: 'COMMANDS', lines: commandList() },
      { title: 'OPTIONS', lines: tagged(optionItems(named(OPTIONS), GLOBAL)) },
      ...sections.filter(isGeneral).map(partOf),
      partOf(named('Environment')),
      { title: 'FILES', lines: fileLines(behaviour) },
      partOf(named('Exit status')),
      { title: 'EXAMPLES', lines: exampleLines(commandFacts('start').examples) },
      {
        title: 'SEE ALSO',
        lines: [
          ...seeAlso([...PAGES, MANIFEST]),
          ...documentLines(sections.filter(isGeneral).flatMap(({ tokens }) => tokens)),
        ],
      },
    ],
  });
};

/**
 * Returns the page sup.yaml(5). The first manifest of the document is moved to the end, where manual pages
 * have their examples.
 */
const manifestPage = (markdown: string, date: Date): string => {
  const [introduction, ...sections] = sectionsOf(markdown);
  const tokens = introduction?.tokens ?? [];
  const example = tokens.find((token) => token.type === 'code' && token.lang === 'yaml');
  return page(MANIFEST, date, {
    summary: 'manifest of projects and services for sup',
    parts: [
      { title: 'SYNOPSIS', lines: ['.Pa sup.yaml'] },
      { title: 'DESCRIPTION', lines: blockLines(tokens.filter((token) => token !== example)) },
      ...sections.map(partOf),
      { title: 'EXAMPLES', lines: example === undefined ? [] : blockLines([example]) },
      {
        title: 'SEE ALSO',
        lines: [
          ...seeAlso([SUP, ...(['apply', 'plan', 'start', 'validate'] as const).map(pageOf)]),
          ...documentLines([tokens, ...sections.map((section) => section.tokens)].flat()),
        ],
      },
    ],
  });
};

/** Returns the text of each manual page, by its path below the directory of manuals. */
export const manualPages = (documents: Documents, date: Date): ReadonlyMap<string, string> => {
  const sections = sectionsOf(documents.commands);
  const place = ({ name, section }: Reference): string => `man${section}/${name}.${section}`;
  return new Map([
    [place(SUP), supPage(documents, date)],
    ...COMMAND_NAMES.map((name) => [place(pageOf(name)), commandPage(name, sections, date)] as const),
    [place(MANIFEST), manifestPage(documents.manifest, date)],
  ]);
};
