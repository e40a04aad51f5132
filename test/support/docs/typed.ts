// Pages whose commands a reader types in order: the commands, and what each page shows of their output.

/** A command, and the lines that the page shows below it. */
export interface Typed {
  readonly line: string;
  readonly shown: readonly string[];
}

const BLOCK = /^```(.*)\n([^]*?)^```$/gm;
const PROMPT = '$ ';

/** The commands behind a prompt in the blocks of a page, in order. */
export const typedIn = (markdown: string): readonly Typed[] =>
  [...markdown.matchAll(BLOCK)].flatMap(([, language, block = '']) =>
    (language === '' ? block : '')
      .split(/^(?=\$ )/m)
      .filter((part) => part.startsWith(PROMPT))
      .map((part) => {
        const [line = '', ...shown] = part.trimEnd().split('\n');
        return { line: line.slice(PROMPT.length), shown };
      }),
  );

const MOMENT = String.raw`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?`;
const ONE = String.raw`\d+(?:\.\d+)? (?:ms|s|min|h|%|[KMG]iB)(?![a-z])`;
/** `2.4 s`, or `10 h 12 min`. */
const AMOUNT = `${ONE}(?: ${ONE})?`;

/** What differs from one machine and moment to the next, and what may be printed instead. */
const KINDS: readonly (readonly [shown: string, printed: string])[] = [
  [MOMENT, MOMENT],
  [AMOUNT, AMOUNT],
  // Decimals, and process ids, ports and years.
  [String.raw`\d+\.\d+|\d{4,}`, String.raw`[\d.]+`],
  ['/home/me', String.raw`/[^\s/]*(?:/[^\s/]*)?`],
  ['…', '.*'],
  [String.raw`\s+`, String.raw`\s+`],
];
const VARIABLE = new RegExp(`(${KINDS.map(([shown]) => shown).join('|')})`);

const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);

/** The pattern of a part of a shown line. */
const patternIn = (part: string): string => {
  const kind = KINDS.find(([shown]) => new RegExp(`^(?:${shown})$`).test(part));
  return kind?.[1] ?? literally(part);
};

const patternOf = (shown: string): RegExp =>
  new RegExp(`^${shown.trim().split(VARIABLE).map(patternIn).join('')}$`);

/** Stands for lines that are left out. */
const LEFT_OUT = /^\s*\|?\s*…$/;

/** The first shown line that was not printed after the ones before it; `undefined` if all were. */
export const notPrinted = (shown: readonly string[], printed: string): string | undefined => {
  const lines = printed.split('\n').map((line) => line.trim());
  let next = 0;
  return shown.find((line) => {
    if (LEFT_OUT.test(line) || line === '') return false;
    const at = lines.findIndex((each, index) => index >= next && patternOf(line).test(each));
    if (at >= 0) next = at + 1;
    return at < 0;
  });
};
