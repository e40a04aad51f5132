// The programs of docs/api.md and examples/client are checked against the types of the library.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import ts from 'typescript';
import { afterAll, describe, expect, it } from 'vitest';

const PAGE = 'docs/api.md';
const EXAMPLES = 'examples/client';
const BLOCK = /^```(?:js|ts)\n([^]*?)^```$/gm;

/** Below the project, so that packages are found. */
const scratch = mkdtempSync(resolve('node_modules/.client-programs-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const blocks = [...readFileSync(PAGE, 'utf8').matchAll(BLOCK)].map(([, text = '']) => text);
const examples = readdirSync(EXAMPLES).filter((name) => name.endsWith('.js'));

const OPTIONS: ts.CompilerOptions = {
  ...{ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, types: ['node'] },
  ...{ strict: true, noEmit: true, allowJs: true, checkJs: true, skipLibCheck: true },
  ...{ allowImportingTsExtensions: true, erasableSyntaxOnly: true },
  paths: { 'sup/client': [resolve('src/client/library.ts')] },
};

/** A program that must not fit, so that the check can fail. */
const WRONG = "import { connect } from 'sup/client';\nconnect().restart({ service: 'web' });\n";

const PROGRAMS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(blocks.map((text, at) => [`block-${at}.mts`, text])),
  ...Object.fromEntries(
    examples.map((name) => [name.replace(/js$/, 'mts'), readFileSync(join(EXAMPLES, name), 'utf8')]),
  ),
  'wrong.mts': WRONG,
};

/** Returns what is wrong in a file, each with its line. */
const faultsIn = (program: ts.Program, file: string): readonly string[] => {
  const source = program.getSourceFile(file);
  const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
  return found.map(({ start = 0, messageText }) => {
    const line = source?.getLineAndCharacterOfPosition(start).line ?? 0;
    const text = source?.text.split('\n')[line]?.trim() ?? '';
    return `${text}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
};

describe('programs that use the client library', () => {
  it('each program of the page and each example fits the types of the library', () => {
    expect([blocks.length > 4, examples.length > 0]).toEqual([true, true]);
    const files = Object.keys(PROGRAMS).map((name) => join(scratch, name));
    for (const file of files) writeFileSync(file, PROGRAMS[basename(file)] ?? '');
    const program = ts.createProgram(files, OPTIONS);
    const faults = files.flatMap((file) => faultsIn(program, file));
    expect(faults).toEqual([expect.stringContaining("'service' does not exist in type 'Selection'")]);
  }, 120_000);
});
