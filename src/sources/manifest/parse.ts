// YAML text to one syntax tree with positions. The caps stand in front of the tree, so that hostile text costs
// little (`spec/gaps` §2: too large and too deep are ERR0209, syntax errors ERR0217).
import { Composer, Lexer, Parser, type Document } from 'yaml';

/** Lexical tokens of one file. A thousand services have about a hundred thousand. */
const MOST_TOKENS = 400_000;
const DEEPEST = 50;
const MOST_ERRORS = 20;

export interface SyntaxFault {
  readonly code: 'ERR0209' | 'ERR0217';
  readonly offset: number;
  readonly message: string;
}

export type Parsed =
  | { readonly tag: 'parsed'; readonly document: Document.Parsed | undefined }
  | { readonly tag: 'faulty'; readonly faults: readonly SyntaxFault[] };

const OPTIONS = { uniqueKeys: false, stringKeys: false, logLevel: 'silent', version: '1.2' } as const;

const tooMuch = (offset: number, message: string): Parsed => ({
  tag: 'faulty',
  faults: [{ code: 'ERR0209', offset, message }],
});

const faultsOf = (documents: readonly Document.Parsed[]): readonly SyntaxFault[] => {
  const errors = documents.flatMap((document) => document.errors);
  const second = documents.at(1);
  const faults = errors
    .slice(0, MOST_ERRORS)
    .map(({ pos, message }): SyntaxFault => ({ code: 'ERR0217', offset: pos[0], message }));
  if (faults.length === 0 && second !== undefined)
    faults.push({
      code: 'ERR0217',
      offset: second.range[0],
      message: 'a second YAML document begins here; a file holds one',
    });
  return faults;
};

export const parseYaml = (text: string): Parsed => {
  const parser = new Parser();
  const composer = new Composer(OPTIONS);
  const documents: Document.Parsed[] = [];
  let tokens = 0;
  for (const lexeme of new Lexer().lex(text)) {
    tokens += 1;
    if (tokens > MOST_TOKENS)
      return tooMuch(parser.offset, `the file has more than ${MOST_TOKENS} YAML tokens`);
    for (const token of parser.next(lexeme)) documents.push(...composer.next(token));
    if (parser.stack.length > DEEPEST)
      return tooMuch(parser.offset, `values are nested more than ${DEEPEST} levels deep`);
  }
  for (const token of parser.end()) documents.push(...composer.next(token));
  documents.push(...composer.end(false, text.length));
  const faults = faultsOf(documents);
  return faults.length > 0 ? { tag: 'faulty', faults } : { tag: 'parsed', document: documents[0] };
};
