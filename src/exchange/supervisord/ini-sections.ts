// Reads the ini files of supervisord, in the dialect of Python's `RawConfigParser`. Comments after `;` and
// `#` may also be at the end of a line.
import { failure } from '../../streams/views/errors/command-failure.ts';
import type { SourceText } from '../source-texts.ts';
import type { SourceLine } from '../key-table.ts';

export interface IniOption {
  readonly value: string;
  readonly place: SourceLine;
}

export interface IniSection {
  readonly name: string;
  readonly place: SourceLine;
  /**
   * The options by their names in lower case, in the order of the file. A later option replaces an earlier
   * option with the same name.
   */
  readonly options: Map<string, IniOption>;
}

interface Position {
  section?: IniSection;
  /** The last option. A line with a deeper indentation than `indent` continues its value. */
  option?: string;
  indent: number;
}

/**
 * Returns where a comment begins: at a `;` or `#` that is at the beginning of the line or after white space.
 */
const commentAt = (line: string): number | undefined => {
  let next = new Map([';', '#'].map((prefix) => [prefix, -1]));
  while (next.size > 0) {
    const found = [...next.entries()]
      .map(([prefix, at]) => [prefix, line.indexOf(prefix, at + 1)] as const)
      .filter(([, at]) => at !== -1);
    const starts = found.map(([, at]) => at).filter((at) => at === 0 || /\s/.test(line.charAt(at - 1)));
    if (starts.length > 0) return Math.min(...starts);
    next = new Map(found);
  }
  return undefined;
};

const refused = ({ file, line }: SourceLine, detail: string): Error =>
  failure({ code: 'ERR0802', file, format: 'a configuration of supervisord', line, detail });

const append = (section: IniSection, key: string, text: string): void => {
  const before = section.options.get(key);
  if (before !== undefined) section.options.set(key, { ...before, value: `${before.value}\n${text}` });
};

/**
 * Returns the section of this name, and adds it if it is missing. Two headers with one name are one section.
 */
const sectionNamed = (sections: IniSection[], name: string, place: SourceLine): IniSection => {
  const known = sections.find((section) => section.name === name);
  const section = known ?? { name, place, options: new Map<string, IniOption>() };
  if (known === undefined) sections.push(section);
  return section;
};

const readOption = (at: Position, text: string, place: SourceLine): void => {
  if (at.section === undefined) throw refused(place, 'a section in brackets must come first');
  const equals = text.search(/[=:]/);
  const key = text.slice(0, equals).trim().toLowerCase();
  if (equals < 1) throw refused(place, `"${text}" is not a line key=value`);
  at.option = key;
  at.section.options.set(key, { value: text.slice(equals + 1).trim(), place });
};

/**
 * Appends an empty line to the value of the last option, because the value may continue on the next line. A
 * line with only a comment appends nothing.
 */
const readEmpty = ({ section, option }: Position, isComment: boolean): void => {
  if (!isComment && section !== undefined && option !== undefined) append(section, option, '');
};

const readText = (
  sections: IniSection[],
  at: Position,
  [text, indent, place]: [string, number, SourceLine],
) => {
  at.indent = indent;
  const header = /^\[(.+)\]/.exec(text)?.[1];
  if (header === undefined) readOption(at, text, place);
  else {
    at.section = sectionNamed(sections, header, place);
    delete at.option;
  }
};

const readLine = (sections: IniSection[], at: Position, [line, place]: [string, SourceLine]): void => {
  const comment = /^\s*[;#]/.test(line) ? 0 : commentAt(line);
  const text = line.slice(0, comment).trim();
  const indent = line.search(/\S/);
  const { section, option } = at;
  if (text === '') readEmpty(at, comment !== undefined);
  else if (section !== undefined && option !== undefined && indent > at.indent) append(section, option, text);
  else readText(sections, at, [text, indent, place]);
};

/**
 * Reads a file into `sections`, which may already have sections of other files. Throws ERR0802 for a line
 * that supervisord refuses.
 */
export const readIni = (
  { path, text }: Pick<SourceText, 'path' | 'text'>,
  sections: IniSection[] = [],
): IniSection[] => {
  const at: Position = { indent: 0 };
  for (const [index, line] of text.split('\n').entries())
    readLine(sections, at, [line, { file: path, line: index + 1 }]);
  for (const { options } of sections)
    for (const [key, option] of options) options.set(key, { ...option, value: option.value.trimEnd() });
  return sections;
};
