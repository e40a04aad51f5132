// Turns the inside of a paragraph of Markdown into roff text: what is typed is bold, what is stressed italic.
import type { MarkedToken, Token } from 'marked';
import { prose, typed } from './roff.ts';

/** Narrows the tokens of the parser to the kinds that it makes without extensions. */
export const known = (tokens: readonly Token[] | undefined): readonly MarkedToken[] =>
  (tokens ?? []) as readonly MarkedToken[];

const bold = (text: string): string => `\\fB${text}\\fR`;
const italic = (text: string): string => `\\fI${text}\\fR`;

const one = (token: MarkedToken): string => {
  switch (token.type) {
    case 'codespan':
      return bold(typed(token.text));
    case 'strong':
      return bold(inline(token.tokens));
    case 'em':
      return italic(inline(token.tokens));
    case 'link':
      return inline(token.tokens);
    case 'br':
      return ' ';
    case 'image':
      return '';
    case 'text':
    case 'escape':
      return 'tokens' in token ? inline(token.tokens) : prose(token.text);
    default:
      throw new Error(`a manual page has no form for "${token.type}": ${token.raw}`);
  }
};

/** Returns inline Markdown as roff text. Images are left out, of a link the text stays. */
export const inline = (tokens: readonly Token[] | undefined): string => known(tokens).map(one).join('');
