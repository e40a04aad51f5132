// The index of docs/architecture.md: which file carries out which rule, by the pointers in the comments of the source.
import { readFileSync } from 'node:fs';
import { filesBelow, linkTo, placesOf, pointersIn, sectionsOf, type Place } from './pointers.ts';

export const BEHAVIOUR = 'docs/behaviour.md';

interface Found extends Place {
  readonly page: string;
  readonly file: string;
}

/** Every place of the documentation that a comment in `src` points to, in the order of the files. */
const pointed = (): readonly Found[] =>
  filesBelow(['src'], ['.ts', '.sh'])
    .toSorted()
    .flatMap((file) =>
      pointersIn(readFileSync(file, 'utf8')).flatMap((pointer) =>
        placesOf(pointer).map((place) => ({ ...place, page: pointer.page, file })),
      ),
    );

export interface Carried extends Place {
  /** The files that carry it out; for a section, those that name none of its rules. */
  readonly files: readonly string[];
}

const filesOf = (found: readonly Found[]): readonly string[] => [...new Set(found.map(({ file }) => file))];

/** Each section of a page and each rule in it, in their order, with the files that point to it. */
export const carriedOut = (page: string): readonly Carried[] => {
  const all = pointed().filter((found) => found.page === page);
  const at = (section: string, rule?: string): Carried => ({
    section,
    ...(rule !== undefined && { rule }),
    files: filesOf(all.filter((found) => found.section === section && found.rule === rule)),
  });
  return [...sectionsOf(page)].flatMap(([section, rules]) => [
    at(section),
    ...rules.map((rule) => at(section, rule)),
  ]);
};

const listed = (files: readonly string[]): string =>
  files.length === 0 ? '' : `: ${files.map((file) => `\`${file}\``).join(', ')}`;

/** The rules of docs/behaviour.md as a list. A section without a file of its own is carried out by those of its rules. */
export const rulesList = (): string =>
  carriedOut(BEHAVIOUR)
    .map(({ section, rule, files }) =>
      rule === undefined
        ? `- ${linkTo({ page: BEHAVIOUR, headings: [section] })}${listed(files)}`
        : `  - ${rule}${listed(files)}`,
    )
    .join('\n');

/** The sections of the other pages that comments point to. */
export const otherList = (): string => {
  const others = pointed().filter(({ page, section }) => page !== BEHAVIOUR && section !== '');
  const names = [...new Set(others.map(({ page, section }) => `${page}#${section}`))].toSorted();
  return names
    .map((name) => {
      const [page = '', section = ''] = name.split(/#(.*)/);
      const files = others.filter((found) => found.page === page && found.section === section);
      const title = page.slice('docs/'.length, -'.md'.length);
      return `- ${title}, ${linkTo({ page, headings: [section] })}${listed(filesOf(files))}`;
    })
    .join('\n');
};
