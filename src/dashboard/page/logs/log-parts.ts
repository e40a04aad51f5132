// Cuts a log line into parts of one colour, and marks the parts that match a search. Each part is plain text
// with a CSS class for its colour, so output of services is never treated as HTML.
import Anser from 'anser';
import { colouredOutput } from '../../../streams/views/words/foreign-text.ts';

interface LogPart {
  readonly text: string;
  readonly classes: string;
  readonly isMatch: boolean;
}

const HUES = ['black', 'blue', 'green', 'cyan', 'red', 'magenta', 'yellow', 'white'];
/**
 * Red, green or blue is part of the hue if its value is at least this share of the strongest of the three.
 */
const SHARE = 0.6;

/** Returns the nearest of the page's eight colours. They are legible on a light and on a dark background. */
const hueOf = ([red, green, blue]: readonly [number, number, number]): string => {
  const most = Math.max(red, green, blue, 60);
  const bit = (channel: number): number => (channel >= most * SHARE ? 1 : 0);
  return `ansi-${HUES[bit(red) * 4 + bit(green) * 2 + bit(blue)] ?? 'white'}`;
};

const FIRST_OF_CUBE = 16;
const FIRST_GREY = 232;

const paletteHue = (index: number): string => {
  if (index >= FIRST_GREY) return 'ansi-white';
  const cube = index - FIRST_OF_CUBE;
  return hueOf([
    (Math.floor(cube / 36) * 255) / 5,
    ((Math.floor(cube / 6) % 6) * 255) / 5,
    ((cube % 6) * 255) / 5,
  ]);
};

/**
 * Returns the colour, or an empty text if there is none. For no colour Anser gives `null`, although its types
 * do not say so.
 */
const nameOf = (colour: string | null): string => colour ?? '';

const colourClass = ({ fg, fg_truecolor: rgb }: Anser.AnserJsonEntry): string => {
  const name = nameOf(fg);
  if (name.startsWith('ansi-palette-')) return paletteHue(Number(name.slice('ansi-palette-'.length)));
  if (name !== 'ansi-truecolor') return name.replace('bright-', '');
  const [red = 0, green = 0, blue = 0] = rgb.split(',').map(Number);
  return hueOf([red, green, blue]);
};

const SHOWN_DECORATIONS = new Set(['bold', 'italic', 'underline', 'strikethrough']);

const classesOf = (entry: Anser.AnserJsonEntry): string =>
  [
    colourClass(entry),
    ...entry.decorations.filter((one) => SHOWN_DECORATIONS.has(one)).map((one) => `ansi-${one}`),
  ]
    .filter((name) => name !== '')
    .join(' ');

/** Returns the ranges of characters that match the search, as `[begin, end)`. */
const matchesIn = (text: string, search: string): readonly (readonly [number, number])[] => {
  const found: [number, number][] = [];
  if (search === '') return found;
  const [lower, wanted] = [text.toLowerCase(), search.toLowerCase()];
  for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, at + wanted.length))
    found.push([at, at + wanted.length]);
  return found;
};

/** Cuts a part of one colour where matches begin and end. `from`: the part's first index in the line. */
const cutAtMatches = (
  { text, classes }: Omit<LogPart, 'isMatch'>,
  from: number,
  matches: readonly (readonly [number, number])[],
): readonly LogPart[] => {
  const end = from + text.length;
  const inside = matches.flat().filter((place) => place > from && place < end);
  const cuts = [...new Set([from, ...inside, end])].sort((one, other) => one - other);
  return cuts.slice(0, -1).map((begin, index) => ({
    text: text.slice(begin - from, (cuts[index + 1] ?? end) - from),
    classes,
    isMatch: matches.some(([first, last]) => begin >= first && begin < last),
  }));
};

export const logParts = (line: string, search: string): readonly LogPart[] => {
  const entries = Anser.ansiToJson(colouredOutput(line), {
    json: true,
    remove_empty: true,
    use_classes: true,
  });
  const matches = matchesIn(entries.map(({ content }) => content).join(''), search);
  let from = 0;
  return entries.flatMap((entry) => {
    const parts = cutAtMatches({ text: entry.content, classes: classesOf(entry) }, from, matches);
    from += entry.content.length;
    return parts;
  });
};
