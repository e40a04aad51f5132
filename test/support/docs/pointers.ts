// Pointers of comments into the documentation: `docs/<page>.md`, and after it in double quotes the headings that are
// meant. After a heading may come names of its rules: the bold words that open a paragraph or an item of a list.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Pointer {
  /** `docs/behaviour.md` */
  readonly page: string;
  readonly headings: readonly string[];
}

const POINTER = /(docs\/[\w-]+\.md)`?((?:,?(?: and)? "[^"$]+")*)/g;
/** What opens a line of a comment, in any of the languages that are used here. */
const MARGIN = /\n\s*(?:\/\/|\*|#)?\s*/g;

/** All pointers of a text, those included that go on in the next line. */
export const pointersIn = (text: string): readonly Pointer[] =>
  [...text.replaceAll(MARGIN, ' ').matchAll(POINTER)].map(([, page = '', quoted = '']) => ({
    page,
    headings: [...quoted.matchAll(/"([^"]+)"/g)].map(([, heading = '']) => heading),
  }));

const plain = (heading: string): string => heading.replaceAll('`', '').replace(/\.$/, '').trim();

const RULE = /^(?:- |\d+\. )?\*\*(.+?)\*\*/gm;

/** The sections of a page in their order, each with the names of its rules. */
export const sectionsOf = (page: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    readFileSync(page, 'utf8')
      .split(/^##+ /m)
      .slice(1)
      .map((section) => {
        const [title = ''] = section.split('\n', 1);
        return [plain(title), [...section.matchAll(RULE)].map(([, rule = '']) => plain(rule))] as const;
      }),
  );

/** A section, or one rule in it. */
export interface Place {
  readonly section: string;
  readonly rule?: string;
}

/** What a pointer means: each of its rules, and each heading that no rule follows. */
export const placesOf = ({ page, headings }: Pointer): readonly Place[] => {
  const sections = sectionsOf(page);
  let section = '';
  return headings.map(plain).flatMap((name, index, names): readonly Place[] => {
    if (sections.get(section)?.includes(name)) return [{ section, rule: name }];
    section = name;
    return sections.get(name)?.includes(names[index + 1] ?? '') ? [] : [{ section }];
  });
};

/** The headings of a page, without their backticks. `ERR0101: …` answers to its code too. */
export const headingsOf = (page: string): ReadonlySet<string> => {
  const found = [...readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => plain(title));
  return new Set(found.flatMap((title) => [title, title.replace(/^(ERR\d{4}): .*/, '$1')]));
};

/** The headings that the pointer names and the page does not have. */
export const brokenIn = ({ page, headings }: Pointer): readonly string[] => {
  if (!existsSync(page)) return [page];
  const known = headingsOf(page);
  return placesOf({ page, headings })
    .filter(({ section, rule }) => rule === undefined && !known.has(section))
    .map(({ section }) => `${page}, "${section}"`);
};

/** The way there as a link from another page of the documentation. */
export const linkTo = (pointer: Pointer): string => {
  const [heading = ''] = pointer.headings;
  const page = pointer.page.replace('docs/', '');
  const title = [...headingsOf(pointer.page)].find(
    (one) => one === heading || one.startsWith(`${heading}: `),
  );
  const anchor = (title ?? heading)
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
  return `[${heading}](${page}#${anchor})`;
};

/** Every file below these folders with one of these endings. */
export const filesBelow = (folders: readonly string[], endings: readonly string[]): readonly string[] =>
  folders
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((file) => endings.some((ending) => file.endsWith(ending)));
