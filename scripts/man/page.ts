// The frame of a manual page, and parts that all pages share.
import { literal } from './blocks.ts';
import { asArguments, prose, textLines } from './roff.ts';

export interface Reference {
  readonly name: string;
  readonly section: 1 | 5;
}

export interface Part {
  /** Title of the part, in capital letters. */
  readonly title: string;
  readonly lines: readonly string[];
}

const LONG_DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

const bySectionAndName = (one: Reference, other: Reference): number =>
  one.section - other.section || (one.name < other.name ? -1 : 1);

/** Returns the references sorted by section and name, each once. */
export const seeAlso = (references: readonly Reference[]): readonly string[] => {
  const distinct = new Map(
    references.map((reference) => [`${reference.name}.${reference.section}`, reference]),
  );
  const sorted = [...distinct.values()].sort(bySectionAndName);
  return sorted.map(
    ({ name, section }, index) => `.Xr ${name} ${section}${index === sorted.length - 1 ? '' : ' ,'}`,
  );
};

/** Returns a manual page. Parts without lines are omitted. */
export const page = (
  { name, section }: Reference,
  date: Date,
  { summary, parts }: { readonly summary: string; readonly parts: readonly Part[] },
): string =>
  [
    `.\\" Made by "npm run man" from docs/.`,
    `.Dd ${LONG_DATE.format(date)}`,
    `.Dt ${name.toUpperCase()} ${section}`,
    '.Os',
    '.Sh NAME',
    `.Nm ${name}`,
    `.Nd ${asArguments(prose(summary))}`,
    ...parts.flatMap(({ title, lines }) => (lines.length === 0 ? [] : [`.Sh ${title}`, ...lines])),
    '',
  ].join('\n');

/** Returns examples, each below its meaning. */
export const exampleLines = (
  examples: readonly (readonly [line: string, meaning: string])[],
): readonly string[] =>
  examples.flatMap(([line, meaning], index) => [
    ...(index === 0 ? [] : ['.Pp']),
    ...textLines(`${prose(meaning)}:`),
    ...literal(line),
  ]);
