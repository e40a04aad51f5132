// Reads and writes command lines of unit files (systemd.service(5), "Command lines"). No shell runs these
// lines. They have prefixes, may have several commands, and replace variables by rules of their own.
import { resolve } from 'node:path';
import type { ServiceSpec } from '../../streams/domain/declared/spec.ts';
import { shellWord } from '../../os/shell-word.ts';
import { withoutSpecifiers, type UnitName } from './unit-specifiers.ts';
import { unitWord, wordsOf } from './unit-words.ts';
import { literalText } from '../manifest-text.ts';

/** A piece of an argument: a text, the value of a variable, or the words of a value as separate arguments. */
type Piece =
  | { readonly tag: 'text'; readonly text: string }
  | { readonly tag: 'variable'; readonly name: string }
  | { readonly tag: 'words'; readonly name: string };

type Argument = readonly Piece[];

export interface UnitCommand {
  /** The prefix of the command: some of `-@:+!`. */
  readonly prefixes: string;
  readonly words: readonly Argument[];
}

const text = (value: string): Argument => [{ tag: 'text', text: value }];

/**
 * Returns the pieces of an argument. `$X` alone becomes the words of the value, and `${X}` the whole value.
 * `$$` is a dollar sign.
 */
const piecesOf = (word: string): Argument => {
  const [, alone] = /^\$([A-Za-z_]\w*)$/.exec(word) ?? [];
  if (alone !== undefined) return [{ tag: 'words', name: alone }];
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of word.matchAll(/\$\$|\$\{([A-Za-z_]\w*)\}/g)) {
    const [whole, name] = match;
    if (match.index > end) pieces.push({ tag: 'text', text: word.slice(end, match.index) });
    pieces.push(name === undefined ? { tag: 'text', text: '$' } : { tag: 'variable', name });
    end = match.index + whole.length;
  }
  return end < word.length || word === '' ? [...pieces, { tag: 'text', text: word.slice(end) }] : pieces;
};

const commandOf = (words: readonly string[]): UnitCommand => {
  const [first = '', ...others] = words;
  const [, prefixes = '', program = ''] = /^([-@:+!]*)(.*)$/s.exec(first) ?? [];
  const argument = prefixes.includes(':') ? text : piecesOf;
  // With the prefix `@`, the word after the program is `argv[0]`, not an argument.
  const given = prefixes.includes('@') ? others.slice(1) : others;
  return { prefixes, words: [text(program), ...given.map(argument)] };
};

/** Returns the commands of a line, which `;` separates. */
export const commandsIn = (line: string, name: UnitName): readonly UnitCommand[] => {
  const commands: string[][] = [[]];
  for (const { text: word, plain } of wordsOf(line)) {
    if (word === ';' && plain) commands.push([]);
    else commands.at(-1)?.push(withoutSpecifiers(word === '\\;' ? ';' : word, name));
  }
  return commands.filter(([program = '']) => program !== '').map(commandOf);
};

/** Returns the arguments of a command; `undefined` if one of them has a variable. */
export const fixedArguments = ({ words }: UnitCommand): readonly string[] | undefined =>
  words.every((word) => word.every(({ tag }) => tag === 'text'))
    ? words.map((word) => word.map((piece) => (piece.tag === 'text' ? piece.text : '')).join(''))
    : undefined;

/** Returns the name of systemd's variable in `sup`. */
const nameHere = (name: string): string => (name === 'MAINPID' ? 'SUP_PID' : name);

const pieceForShell = (piece: Piece): string => {
  if (piece.tag === 'text') return shellWord(piece.text);
  const variable = `$${nameHere(piece.name)}`;
  return piece.tag === 'variable' ? `"${variable}"` : variable;
};

const splitsWords = ({ words }: UnitCommand): boolean =>
  words.some((word) => word.some(({ tag }) => tag === 'words'));

/** Returns an argument as text for a shell, with `$SUP_PID` in place of `$MAINPID`. */
const joinedPieces = (word: Argument): string =>
  word
    .map((piece) => {
      if (piece.tag === 'text') return piece.text.replaceAll('$MAINPID', '$SUP_PID');
      return `\${${nameHere(piece.name)}}`;
    })
    .join('');

/** Returns LINE of a command `/bin/sh -c LINE`; `undefined` for other commands. */
export const shellLine = ({ words }: UnitCommand): string | undefined => {
  const [program, option, line, ...others] = words;
  if (program === undefined || option === undefined || line === undefined || others.length > 0)
    return undefined;
  const isShell =
    /^(?:\/usr)?\/bin\/(?:sh|dash)$/.test(joinedPieces(program)) && joinedPieces(option) === '-c';
  return isShell ? joinedPieces(line) : undefined;
};

const lineOf = (command: UnitCommand): string =>
  shellLine(command) ?? command.words.map((word) => word.map(pieceForShell).join('')).join(' ');

/**
 * Returns one command as a part of a line for `sh -c`. A failure that systemd ignores is ignored in the line,
 * too.
 */
const partOf = (command: UnitCommand, alone: boolean): string => {
  const shell = shellLine(command);
  const line = lineOf(command);
  if (command.prefixes.includes('-'))
    return shell === undefined ? `{ ${line} || true; }` : `{ (${line}\n) || true; }`;
  return alone || shell === undefined ? line : `(${line}\n)`;
};

/** Returns commands as one line for a manifest. Each command runs only if those before it have not failed. */
export const commandLine = (commands: readonly UnitCommand[]): string => {
  const line = commands.map((command) => partOf(command, commands.length === 1)).join(' && ');
  return literalText(commands.some(splitsWords) ? `set -f; ${line}` : line);
};

/**
 * Returns the line for the main program. If the program is the only command, it replaces the shell (`exec`).
 */
export const mainLine = (commands: readonly UnitCommand[]): string => {
  const [only, ...others] = commands;
  const replaces =
    only !== undefined &&
    others.length === 0 &&
    !only.prefixes.includes('-') &&
    shellLine(only) === undefined;
  if (!replaces) return commandLine(commands);
  return literalText(`${splitsWords(only) ? 'set -f; ' : ''}exec ${lineOf(only)}`);
};

/** Returns the signal of `kill -HUP $MAINPID`; `undefined` if the commands do anything else. */
export const signalToMain = (commands: readonly UnitCommand[]): string | undefined => {
  const [only, ...others] = commands;
  if (only === undefined || others.length > 0) return undefined;
  const [, signal] =
    /^(?:\/usr)?(?:\/bin\/)?kill (?:-s )?-?(?:SIG)?([A-Z]+[12]?) "?\$SUP_PID"?$/.exec(lineOf(only)) ?? [];
  return signal;
};

/** Quotes an argument so that systemd replaces no variable in it. */
const literalWord = (word: string): string => unitWord(word.replaceAll('$', '$$$$'));

/** Returns `/bin/sh -c LINE`. The shell expands the variables of LINE, not systemd. */
export const shellCommand = (line: string): string => {
  return `/bin/sh -c ${literalWord(line).replace(/^([^"].*)$/s, '"$1"')}`;
};

/** True if systemd accepts the name as a program. A program with another name must be run by `env`. */
const isProgram = (name: string): boolean => /^[\w./]/.test(name);

/** Returns a command line of a unit that runs a program with these arguments. */
export const executable = (
  [name = '', ...others]: readonly string[],
  { workingDir }: ServiceSpec,
): string => {
  const program = name.includes('/') ? resolve(workingDir, name) : name;
  const words = others.map(literalWord);
  return isProgram(program)
    ? [unitWord(program), ...words].join(' ')
    : ['/usr/bin/env', literalWord(program), ...words].join(' ');
};
