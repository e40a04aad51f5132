// Parses YAML to a syntax tree with positions. Limits (ERR0209) are checked before the tree is built, so that
// a malicious text costs little time (`docs/manifest.md`, "Rules that hold everywhere"). A syntax error is
// ERR0217.
import { Composer, Lexer, Parser, type Document, type YAMLParseError } from 'yaml';

/** The most lexical tokens of a manifest with its includes. A thousand services have about 100,000 tokens. */
export const MOST_TOKENS = 250_000;
const DEEPEST = 50;
const MOST_ERRORS = 20;

interface SyntaxFault {
  readonly code: 'ERR0209' | 'ERR0217';
  readonly offset: number;
  readonly message: string;
}

type Parsed =
  | { readonly tag: 'parsed'; readonly document: Document.Parsed | undefined; readonly tokens: number }
  | { readonly tag: 'faulty'; readonly faults: readonly SyntaxFault[] };

const OPTIONS = { uniqueKeys: false, stringKeys: false, logLevel: 'silent', version: '1.2' } as const;

const faulty = (offset: number, code: SyntaxFault['code'], message: string): Parsed => ({
  tag: 'faulty',
  faults: [{ code, offset, message }],
});

/** Returns the message of the parser, with the cause if a reader would not guess it. */
const faultText = ({ code, message }: Pick<YAMLParseError, 'code' | 'message'>): string =>
  code === 'BLOCK_AS_IMPLICIT_KEY' ? `${message}: a text with ": " in it needs quotes around it` : message;

const faultsOf = (documents: readonly Document.Parsed[]): readonly SyntaxFault[] => {
  const errors = documents.flatMap((document) => document.errors);
  const second = documents.at(1);
  const faults = errors
    .slice(0, MOST_ERRORS)
    .map((error): SyntaxFault => ({ code: 'ERR0217', offset: error.pos[0], message: faultText(error) }));
  if (faults.length === 0 && second !== undefined)
    faults.push({
      code: 'ERR0217',
      offset: second.range[0],
      message: 'a second YAML document begins here; a file holds one',
    });
  return faults;
};

const composed = (text: string, most: number): Parsed => {
  const parser = new Parser();
  const composer = new Composer(OPTIONS);
  const documents: Document.Parsed[] = [];
  let tokens = 0;
  for (const lexeme of new Lexer().lex(text)) {
    tokens += 1;
    if (tokens > most)
      return faulty(parser.offset, 'ERR0209', `the manifest has more than ${MOST_TOKENS} YAML tokens`);
    for (const token of parser.next(lexeme)) documents.push(...composer.next(token));
    if (parser.stack.length > DEEPEST)
      return faulty(parser.offset, 'ERR0209', `values are nested more than ${DEEPEST} levels deep`);
    if (documents.length > 1) break;
  }
  for (const token of parser.end()) documents.push(...composer.next(token));
  documents.push(...composer.end(false, text.length));
  const faults = faultsOf(documents);
  return faults.length > 0 ? { tag: 'faulty', faults } : { tag: 'parsed', document: documents[0], tokens };
};

/** Calls `work` with stack traces switched off: for very many errors, they would take most of the time. */
const withoutTraces = <T>(work: () => T): T => {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
};

// eslint-disable-next-line no-control-regex -- YAML has no control characters: a file with one is no text
const NOT_YAML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** Parses YAML. `most`: the number of tokens that the other files of the manifest have left unused. */
export const parseYaml = (text: string, most = MOST_TOKENS): Parsed => {
  const garbage = text.search(NOT_YAML);
  if (garbage !== -1)
    return faulty(garbage, 'ERR0217', 'a control character stands here; the file is not YAML text');
  return withoutTraces(() => composed(text, most));
};
