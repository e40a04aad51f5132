// The lines of a marble file: a first word that says what the line is, and the rest. `#` begins a comment line.
import { complain, type Place } from './story.ts';

/** A line that says something, and where its rest begins. */
export interface Line {
  readonly word: string;
  readonly rest: string;
  readonly place: Place;
}

const WORDS = ['title', 'spec', 'frame', 'clock', 'settings', 'service', 'in', 'out'];

export const linesOf = (text: string, file: string): readonly Line[] =>
  text.split(/\r?\n/).flatMap((raw, index) => {
    const [, head = '', word = '', rest = ''] = /^(\s*(\S+)\s*)(.*?)\s*$/.exec(raw) ?? [];
    if (word === '' || word.startsWith('#')) return [];
    const place = { file, line: index + 1, column: head.length + 1 };
    if (!WORDS.includes(word))
      throw complain({ ...place, column: 1 }, `"${word}" is none of ${WORDS.join(', ')}`);
    return [{ word, rest, place }];
  });

/** The first word of the rest, and the line without it. */
export const named = (line: Line): readonly [string, Line] => {
  const [head = '', name = ''] = /^(\S+)\s*/.exec(line.rest) ?? [];
  if (name === '') throw complain(line.place, `"${line.word}" needs a name`);
  const place = { ...line.place, column: line.place.column + head.length };
  return [name, { ...line, rest: line.rest.slice(head.length), place }];
};

/** `a=1 b="2 3"`. */
export const optionsOf = ({ rest, place }: Line): Readonly<Record<string, string>> => {
  const options: Record<string, string> = {};
  for (const { 0: word, index } of rest.matchAll(/(?:"[^"]*"|\S)+/g)) {
    const [, key, quoted, plain] = /^([\w.]+)=(?:"([^"]*)"|([^"]*))$/.exec(word) ?? [];
    if (key === undefined) {
      throw complain({ ...place, column: place.column + index }, `"${word}" is not key=value`);
    }
    options[key] = quoted ?? plain ?? '';
  }
  return options;
};
