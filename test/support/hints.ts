// The hints that the program can print: the texts in the source that stand where a hint is written.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

export interface Hint {
  readonly text: string;
  /** File and line in the source. */
  readonly at: string;
}

/** Functions with the hint as an argument, by its index. */
const ARGUMENT: ReadonlyMap<string, number> = new Map([
  ['usageError', 1],
  ['exclusive', 1],
  ['entry', 2],
  ['warning', 2],
  ['problem', 2],
]);

/** Names of properties, constants and functions that hold or return hints. */
const HOLDER = /^(?:mend|missing|example|command|failed|still|nobody)$|hint|remedy/i;

const nameOf = (node: ts.Node): string =>
  (ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node)) && ts.isIdentifier(node.name)
    ? node.name.text
    : '';

const holdsHint = (node: ts.Node): boolean => {
  if (ts.isSourceFile(node)) return false;
  if (HOLDER.test(nameOf(node))) return true;
  const { parent } = node;
  if (!ts.isCallExpression(parent) || !ts.isIdentifier(parent.expression)) return false;
  const index = ARGUMENT.get(parent.expression.text);
  return index !== undefined && parent.arguments[index] === node;
};

/** The text of a literal; what it inserts is a name. */
const textOf = (node: ts.Node): string | undefined => {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => `<x>${literal.text}`)].join('');
};

const hintsBelow = (node: ts.Node, file: ts.SourceFile, inside: boolean): readonly Hint[] => {
  const isHint = inside || holdsHint(node);
  const text = isHint ? textOf(node) : undefined;
  const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
  const own = text === undefined ? [] : [{ text, at: `${file.fileName}:${line + 1}` }];
  const below: Hint[] = [];
  ts.forEachChild(node, (child) => void below.push(...hintsBelow(child, file, isHint)));
  return [...own, ...below];
};

const hintsIn = (path: string): readonly Hint[] => {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2023, true);
  return hintsBelow(file, file, false);
};

/** Every hint of the source. */
export const allHints = (): readonly Hint[] =>
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => hintsIn(join('src', name)));

/** The commands in a text: each ends with the text, or where punctuation parts it from what follows. */
export const commandsIn = (text: string): readonly string[] =>
  [...text.matchAll(/(?<![\w./-])sup (?=--|[a-z<])[^;,:()`\n]*/g)].map(([command]) => command.trim());
