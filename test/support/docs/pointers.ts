// Pointers of comments into the documentation: `docs/<page>.md`, and behind it the headings meant, in double quotes.
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

const plain = (heading: string): string => heading.replaceAll('`', '').trim();

/** The headings of a page, without their backticks. `ERR0101: …` answers to its code too. */
export const headingsOf = (page: string): ReadonlySet<string> => {
  const found = [...readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => plain(title));
  return new Set(found.flatMap((title) => [title, title.replace(/^(ERR\d{4}): .*/, '$1')]));
};

/** What the pointer names and nobody finds there. */
export const brokenIn = ({ page, headings }: Pointer): readonly string[] => {
  if (!existsSync(page)) return [page];
  const known = headingsOf(page);
  return headings.filter((heading) => !known.has(plain(heading))).map((heading) => `${page}, "${heading}"`);
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
