// Reads how a command is written (`sup stop [service…] [-c file | --here]`), and writes it with the macros of
// mdoc(7).

const WORDS = /\[|\]|\||<[^>]*>…?|[^\s[\]|<>]+/g;

const isOption = (word: string | undefined): boolean => word?.startsWith('-') === true && word !== '--';
const isBar = (word: string | undefined): boolean => word === '|';

/** A word is typed as it is if it is one of several, and no value of an option. */
const isTyped = (word: string, before: string | undefined, after: string | undefined): boolean =>
  (isBar(before) || isBar(after)) && !word.startsWith('<');

const SIGNS: Readonly<Record<string, string>> = { '[': 'Oo', ']': 'Oc', '|': '|' };

/** Returns the macro for a word: a part of brackets, an option, a word to be typed, or a name for one. */
const macroFor = (word: string, before: string | undefined, after: string | undefined): string => {
  const sign = SIGNS[word];
  if (sign !== undefined) return sign;
  if (word.startsWith('-')) return `Fl ${word.slice(1)}`;
  const name = word.replace(/[<>…]/g, '');
  const macro = !isOption(before) && isTyped(word, before, after) ? 'Cm' : 'Ar';
  return `${macro} ${name}${word.endsWith('…') ? ' ...' : ''}`;
};

/** Returns for each word in how many brackets it stands. */
const depthsOf = (words: readonly string[]): readonly number[] =>
  words.map((_, index) => {
    const before = words.slice(0, index);
    return before.filter((word) => word === '[').length - before.filter((word) => word === ']').length;
  });

/** True if the word at that place goes on the line of the word before it. */
const continues = (words: readonly string[], at: number, depth: number): boolean => {
  const [word, before] = [words[at], words[at - 1]];
  const isValue = isOption(before) && !isOption(word) && word !== '[';
  return depth > 0 || isBar(word) || isBar(before) || isValue;
};

/** Returns the lines of one form of a command: its name, and each word or bracket below. */
export const formLines = (form: string): readonly string[] => {
  const [program = '', command = '', ...words] = form.match(WORDS) ?? [];
  const depths = depthsOf(words);
  const lines = [`.Nm ${program}`, `.Cm ${command}`];
  for (const [index, word] of words.entries()) {
    const macro = macroFor(word, words[index - 1], words[index + 1]);
    if (continues(words, index, depths[index] ?? 0)) lines.push(`${lines.pop() ?? ''} ${macro}`);
    else lines.push(`.${macro}`);
  }
  return lines;
};
