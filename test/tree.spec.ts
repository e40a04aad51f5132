// The tree explains itself: names that occur once, and files and folders of a size that can be read at once.
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow } from './support/docs/pointers.ts';

const FILES = filesBelow(['src'], ['.ts', '.tsx']);
const MOST_LINES = 300;
const MOST_FILES = 16;
/** `src/room/a/b/c/file.ts`: three folders below a room. */
const MOST_PARTS = 6;

const linesOf = (file: string): number => readFileSync(file, 'utf8').split('\n').length - 1;

const typesIn = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = '']) => name);

/** Returns each value that occurs more than once. */
const repeated = (values: readonly string[]): readonly string[] => [
  ...new Set(values.filter((value, index) => values.indexOf(value) !== index)),
];

const foldersOver = (files: readonly string[], most: number): readonly string[] => {
  const folders = files.map(dirname);
  return repeated(folders).filter((folder) => folders.filter((one) => one === folder).length > most);
};

describe('the tree of src', () => {
  it('no file name occurs twice', () => {
    expect(repeated(FILES.map((file) => basename(file)))).toEqual([]);
  });

  it('no exported type has two meanings', () => {
    expect(repeated(FILES.flatMap(typesIn))).toEqual([]);
  });

  it(`no file has more than ${MOST_LINES} lines`, () => {
    expect(FILES.filter((file) => linesOf(file) > MOST_LINES)).toEqual([]);
  });

  it(`no folder has more than ${MOST_FILES} files`, () => {
    expect(foldersOver(FILES, MOST_FILES)).toEqual([]);
  });

  it('no file lies more than three folders below its room', () => {
    expect(FILES.filter((file) => file.split('/').length > MOST_PARTS)).toEqual([]);
  });

  it('a repeated name and a full folder are found by these tests', () => {
    expect(repeated(['a', 'b', 'a'])).toEqual(['a']);
    expect(foldersOver(['src/a/b.ts', 'src/a/c.ts'], 1)).toEqual(['src/a']);
  });
});
