// Converts inline Markdown to roff text: code is bold, emphasis italic.
import type { MarkedToken, Token } from 'marked';
import { prose, typed } from './roff.ts';

/** Narrows the type of tokens to the kinds that the parser produces without extensions. */
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

/** Returns inline Markdown as roff text. Images are omitted. Only the text of a link is kept. */
export const inline = (tokens: readonly Token[] | undefined): string => known(tokens).map(one).join('');
