// Parts of the documentation that follow from the code: they stand between `<!-- name -->` and `<!-- /name -->`, tests
// compare them, and `UPDATE_DOCS=1 npx vitest run --project unit` writes them again.
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';

export interface Block {
  readonly file: string;
  readonly name: string;
  /** The text is not formatted: the columns of a table with long cells are not padded. */
  readonly asIs?: true;
}

const marksOf = ({ name }: Block): readonly [string, string] => [`<!-- ${name} -->`, `<!-- /${name} -->`];

const splitAt = (block: Block, text: string): readonly [string, string, string] => {
  const [open, close] = marksOf(block);
  const [from, to] = [text.indexOf(open), text.indexOf(close)];
  if (from < 0 || to < from) throw new Error(`${block.file} has no ${open} … ${close}`);
  return [text.slice(0, from + open.length), text.slice(from + open.length, to), text.slice(to)];
};

const formatted = async (file: string, markdown: string): Promise<string> =>
  (await format(markdown, { ...(await resolveConfig(file)), parser: 'markdown' })).trim();

/** What stands there, and what should; equal, unless the documentation is behind. */
export const compareBlock = async (
  block: Block,
  markdown: string,
): Promise<{ readonly written: string; readonly generated: string }> => {
  const generated = block.asIs === true ? markdown.trim() : await formatted(block.file, markdown);
  const [before, , after] = splitAt(block, readFileSync(block.file, 'utf8'));
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(block.file, `${before}\n\n${generated}\n\n${after}`);
  const [, written] = splitAt(block, readFileSync(block.file, 'utf8'));
  return { written: written.trim(), generated };
};

/** A markdown table. */
export const tableOf = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
