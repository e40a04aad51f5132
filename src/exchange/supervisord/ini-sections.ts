// Reads the ini files of supervisord: the dialect of Python's `RawConfigParser`, with comments after `;` and
// `#` also at the end of a line.
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
  /** By their names in small letters, in the order of the file. A later one of the same name counts. */
  readonly options: Map<string, IniOption>;
}

interface Position {
  section?: IniSection;
  /** The option that a deeper indented line continues, and its indentation. */
  option?: string;
  indent: number;
}

/** Returns the first place after `from` at which one of the characters begins a comment. */
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

/** Returns the section of this name, made if it is not there: two headers of one name are one section. */
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

/** An empty line belongs to a value that goes on after it; a comment does not. */
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
 * Reads a file into the sections, which may have some of other files. Throws ERR0802 for a line that
 * supervisord refuses.
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
