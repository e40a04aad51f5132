// Parses the form of a command line, such as `sup stop [service…] [-c file | --here]`, and writes it with the
// macros of mdoc(7).

const WORDS = /\[|\]|\||<[^>]*>…?|[^\s[\]|<>]+/g;

const isOption = (word: string | undefined): boolean => word?.startsWith('-') === true && word !== '--';
const isBar = (word: string | undefined): boolean => word === '|';

/** True if the user types the word literally: it is one of several alternatives, and is not in `<…>`. */
const isTyped = (word: string, before: string | undefined, after: string | undefined): boolean =>
  (isBar(before) || isBar(after)) && !word.startsWith('<');

const SIGNS: Readonly<Record<string, string>> = { '[': 'Oo', ']': 'Oc', '|': '|' };

/** Returns the macro for a word: a bracket or bar, an option, a literal word, or a placeholder. */
const macroFor = (word: string, before: string | undefined, after: string | undefined): string => {
  const sign = SIGNS[word];
  if (sign !== undefined) return sign;
  if (word.startsWith('-')) return `Fl ${word.slice(1)}`;
  const name = word.replace(/[<>…]/g, '');
  const macro = !isOption(before) && isTyped(word, before, after) ? 'Cm' : 'Ar';
  return `${macro} ${name}${word.endsWith('…') ? ' ...' : ''}`;
};

/** Returns for each word the number of brackets around it. */
const depthsOf = (words: readonly string[]): readonly number[] =>
  words.map((_, index) => {
    const before = words.slice(0, index);
    return before.filter((word) => word === '[').length - before.filter((word) => word === ']').length;
  });

/** True if the word at this index continues the line of the previous word. */
const continues = (words: readonly string[], at: number, depth: number): boolean => {
  const [word, before] = [words[at], words[at - 1]];
  const isValue = isOption(before) && !isOption(word) && word !== '[';
  return depth > 0 || isBar(word) || isBar(before) || isValue;
};

/**
 * Returns the lines of one form of a command line: its name first, then one line for each word or bracket.
 */
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
