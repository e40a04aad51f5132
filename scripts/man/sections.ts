// Divides a page of the documentation at its headings.
import { lexer, type MarkedToken, type Tokens } from 'marked';
import { known } from './inline.ts';

export interface Section {
  readonly title: string;
  /** Everything below the heading, including subsections. */
  readonly tokens: readonly MarkedToken[];
}

/**
 * Divides a page at its headings of the second level. The section above the first of them has an empty title.
 */
export const sectionsOf = (markdown: string): readonly Section[] => {
  const sections: { title: string; tokens: MarkedToken[] }[] = [{ title: '', tokens: [] }];
  for (const token of known(lexer(markdown))) {
    if (token.type === 'heading' && token.depth === 1) continue;
    if (token.type === 'heading' && token.depth === 2)
      sections.push({ title: token.text.replaceAll('`', ''), tokens: [] });
    else sections.at(-1)?.tokens.push(token);
  }
  return sections;
};

/** Returns the section with this title. Throws if the page has none. */
export const sectionOf = (sections: readonly Section[], title: string): Section => {
  const found = sections.find((section) => section.title === title);
  if (found === undefined) throw new Error(`the documentation has no section "${title}"`);
  return found;
};

/** Returns the tables of a section whose first column has this title. */
export const tablesOf = ({ tokens }: Section, first: string): readonly Tokens.Table[] =>
  tokens.filter((token) => token.type === 'table').filter(({ header }) => header[0]?.text === first);
