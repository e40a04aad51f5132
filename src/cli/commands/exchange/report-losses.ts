// Shows what an import or export has lost or changed. Writes files, and replaces existing files only if the
// user agreed.
import { existsSync } from 'node:fs';
import type { Loss } from '../../../exchange/key-table.ts';
import { replaceFile } from '../../../os/files/replace-file.ts';
import { messageOf } from '../../../streams/domain/errors/thrown.ts';
import { failure } from '../../../streams/views/errors/command-failure.ts';
import { shownLine } from '../../../streams/views/words/foreign-text.ts';
import type { LossDocument } from '../../../streams/wire/documents/exchange-documents.ts';
import { paintOf } from '../../../streams/views/words/paint.ts';
import type { Context } from '../../context.ts';
import { hanging } from '../../render/paragraphs.ts';
import { columnsOf } from '../../render/text-table.ts';

export const lossDocument = ({ effect, service, key, message, place }: Loss): LossDocument => ({
  ...{ effect, service: service ?? null, key, message },
  ...place,
});

const HEADS = ['', 'SERVICE', 'SETTING', 'AT'];

/** A row of the table of losses: its short cells, and the sentence in the last column. */
interface LossRow {
  readonly cells: readonly string[];
  readonly sentence: string;
}

/** Returns the path relative to the directory if the file is below it, else the whole path. */
const shortPath = (file: string, directory: string): string =>
  file.startsWith(`${directory}/`) ? file.slice(directory.length + 1) : file;

const lossRow = ({ effect, service = '-', key, message, place }: Loss, directory: string): LossRow => ({
  cells: [effect, service, key, `${shortPath(place.file, directory)}:${place.line}`].map(shownLine),
  sentence: shownLine(message),
});

const GAP = '  ';

/**
 * Minimum width of the column of sentences. On a narrower terminal, each sentence is printed below its row.
 * If neighbouring rows have the same sentence, it is printed only once, below the last of these rows.
 */
const MIN_COLUMNS = 40;

/** Returns the lines of a table. Text that does not fit into a column is wrapped, never cut. */
const tableLines = (rows: readonly LossRow[], columns = Infinity): readonly string[] => {
  const table = [{ cells: HEADS, sentence: 'WHAT' }, ...rows];
  const widths = HEADS.map((_, column) =>
    table.reduce((most, { cells }) => Math.max(most, columnsOf(cells[column] ?? '')), 0),
  );
  const headOf = ({ cells }: LossRow): string =>
    cells.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - columnsOf(cell)) + GAP).join('');
  const width = widths.reduce((sum, each) => sum + each + GAP.length, 0);
  if (columns - width >= MIN_COLUMNS)
    return table.flatMap((row) => hanging(headOf(row), row.sentence, columns));
  return rows.flatMap((row, index) => [
    width > columns + GAP.length ? row.cells.join(GAP) : headOf(row).trimEnd(),
    ...(rows[index + 1]?.sentence === row.sentence ? [] : hanging(GAP, row.sentence, columns)),
  ]);
};

/** Prints a table of losses on standard error, except with `--json` or `--quiet`. */
export const printLosses = (context: Context, losses: readonly Loss[]): void => {
  const { world, json, quiet, colorOn } = context;
  if (json || quiet || losses.length === 0) return;
  const paint = paintOf(colorOn(world.stderr));
  const rows = losses.map((loss) => lossRow(loss, world.directory));
  for (const line of tableLines(rows, world.stderr.columns()))
    world.stderr.write(`${line.replace(/^lost(?= )/, (word) => paint('yellow', word))}\n`);
};

/** Throws ERR0805 if `isStrict` is true (`--strict`) and a setting was lost. */
export const refuseLosses = (file: string, losses: readonly Loss[], isStrict: boolean): void => {
  const lost = losses.filter(({ effect }) => effect === 'lost').length;
  if (isStrict && lost > 0) throw failure({ code: 'ERR0805', file, losses: lost });
};

/** Throws ERR0813 if some of the files exist and must not be replaced. */
export const refuseReplacing = (files: readonly string[], mayReplace: boolean): void => {
  const present = files.filter((file) => existsSync(file));
  if (present.length > 0 && !mayReplace) throw failure({ code: 'ERR0813', files: present });
};

/** Writes a file atomically. Throws ERR0807 if that fails. */
export const writeWholeFile = (file: string, text: string): void => {
  try {
    replaceFile(file, text, { backup: false, lasting: 'name' });
  } catch (thrown) {
    throw failure({ code: 'ERR0807', file, detail: messageOf(thrown) });
  }
};
