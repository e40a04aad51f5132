// Reads a configuration of supervisord with the files of its `[include]`.
import { basename, dirname, join, resolve } from 'node:path';
import { linePattern } from '../../streams/output/line-pattern.ts';
import { failure } from '../../streams/views/errors/command-failure.ts';
import type { ImportDeps } from '../import-format.ts';
import type { SourceText } from '../source-texts.ts';
import { type IniOption, type IniSection, readIni } from './ini-sections.ts';
import { expanded, isMarked, variables } from './percent-format.ts';
import type { SourceLine, Loss } from '../key-table.ts';

type Reading = Pick<ImportDeps, 'read' | 'list' | 'environment'>;

/** Returns a function that tests whether a name matches one part of a pattern, such as `*.conf`. */
const nameMatcher = (part: string): ((name: string) => boolean) => {
  const pattern = linePattern(
    `(?s)^${part.replaceAll(/\[(!?)([^\]]+)\]|[*?]|[^\w]/g, (letter, not?: string, set?: string) => {
      if (letter === '*') return part.startsWith('*') ? '(?:[^.].*)?' : '.*';
      if (letter === '?') return '.';
      if (set === undefined) return `\\${letter}`;
      return `[${not === '!' ? '^' : ''}${set.replaceAll(/[\\[\]^]/g, String.raw`\$&`)}]`;
    })}$`,
  );
  return pattern.tag === 'pattern' ? pattern.isIn : () => false;
};

/** Returns the names in a directory. As in supervisord, a directory that cannot be read has none. */
const namesIn = (directory: string, { list }: Reading): readonly string[] => {
  try {
    return list(directory);
  } catch {
    return [];
  }
};

/** Returns the paths that match a pattern with `*`, `?` and `[…]`, sorted in each directory. */
const matching = (pattern: string, reading: Reading): readonly string[] => {
  const [parent, name] = [dirname(pattern), basename(pattern)];
  const directories = /[*?[]/.test(parent) ? matching(parent, reading) : [parent];
  return directories.flatMap((directory) => {
    const names = namesIn(directory, reading);
    if (!/[*?[]/.test(name)) return names.includes(name) ? [join(directory, name)] : [];
    const matches = nameMatcher(name);
    return names.filter(matches).map((each) => join(directory, each));
  });
};

/** Replaces `%(here)s` in all options by the directory of their file. */
const placeHere = (sections: readonly IniSection[], directory: string): void => {
  for (const { options } of sections)
    for (const [key, option] of options)
      options.set(key, { ...option, value: option.value.replaceAll('%(here)s', () => directory) });
};

const patternsOf = (
  { value, place }: IniOption,
  { here, environment, host }: { here: string; environment: Reading['environment']; host: string },
): readonly string[] => {
  const detail = 'a variable of the environment is not set';
  try {
    const text = expanded(value, { ...variables(environment), here, host_node_name: host });
    if (isMarked(text)) throw new RangeError(detail);
    return text.split(/\s+/).filter(Boolean);
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    throw failure({ code: 'ERR0810', ...place, key: '[include] files', detail: thrown.message });
  }
};

interface IniTree {
  readonly sections: readonly IniSection[];
  readonly losses: readonly Loss[];
}

const remark = (message: string, place: SourceLine): Loss => ({
  ...{ effect: 'changed', key: '[include] files', message, place },
});

const filesOption = (sections: readonly IniSection[]): IniOption | undefined =>
  sections.find(({ name }) => name === 'include')?.options.get('files');

/**
 * Reads all files of an `[include]` into the sections. As in supervisord, an `[include]` in an included file
 * has no effect. `main`: the file that has the `[include]`.
 */
const includeFiles = (
  sections: IniSection[],
  main: SourceText,
  { host, ...reading }: Reading & { host: string },
): readonly Loss[] => {
  const files = filesOption(sections);
  if (files === undefined) return [];
  const losses: Loss[] = [];
  const known = new Set([resolve(main.directory, basename(main.path))]);
  const here = main.directory;
  for (const pattern of patternsOf(files, { here, host, environment: reading.environment })) {
    const paths = matching(resolve(here, pattern), reading);
    if (paths.length === 0) losses.push(remark(`no file matches ${pattern}`, files.place));
    for (const path of paths.filter((each) => !known.has(each))) {
      known.add(path);
      const included = reading.read(path);
      readIni(included, sections);
      placeHere(sections, included.directory);
    }
  }
  const nested = filesOption(sections) ?? files;
  if (nested.place.file !== files.place.file)
    losses.push(remark('supervisord does not follow the include of an included file', nested.place));
  return losses;
};

/** Reads the files one after the other, as if they were one file. `host`: the name of this machine. */
export const readTree = (files: readonly SourceText[], reading: Reading & { host: string }): IniTree => {
  const sections: IniSection[] = [];
  const losses: Loss[] = [];
  for (const file of files) {
    readIni(file, sections);
    placeHere(sections, file.directory);
    losses.push(...includeFiles(sections, file, reading));
  }
  return { sections, losses };
};
