// Shows what an import or export has lost or changed, and writes files without replacing others in silence.
import { existsSync } from 'node:fs';
import type { Loss } from '../../../exchange/key-table.ts';
import { replaceFile } from '../../../os/files/replace-file.ts';
import { messageOf } from '../../../streams/domain/errors/thrown.ts';
import { failure } from '../../../streams/views/errors/command-failure.ts';
import { shownText } from '../../../streams/views/words/foreign-text.ts';
import type { LossDocument } from '../../../streams/wire/documents/exchange-documents.ts';
import { paintOf } from '../../../streams/views/words/paint.ts';
import type { Context } from '../../context.ts';
import { lineOf, widthsOf } from '../../render/text-table.ts';

export const lossDocument = ({ effect, service, key, message, place }: Loss): LossDocument => ({
  ...{ effect, service: service ?? null, key, message },
  ...place,
});

const HEADS = ['', 'SERVICE', 'SETTING', 'AT', 'WHAT'];

/** Prints a table of losses on standard error, except with `--json` or `--quiet`. */
export const printLosses = (context: Context, losses: readonly Loss[]): void => {
  const { world, json, quiet, colorOn } = context;
  if (json || quiet || losses.length === 0) return;
  const cells = losses.map(({ effect, service = '-', key, message, place }) =>
    [effect, service, key, `${place.file}:${place.line}`, message].map(shownText),
  );
  const rows = [HEADS, ...cells].map((row) => row.map((text) => ({ text })));
  const fit = { widths: widthsOf(rows), columns: undefined, paint: paintOf(colorOn(world.stderr)) };
  for (const row of rows) world.stderr.write(`${lineOf(row, fit)}\n`);
};

/** Throws ERR0805 with `--strict` if something was lost. */
export const refuseLosses = (file: string, losses: readonly Loss[], isStrict: boolean): void => {
  const lost = losses.filter(({ effect }) => effect === 'lost').length;
  if (isStrict && lost > 0) throw failure({ code: 'ERR0805', file, losses: lost });
};

/** Throws ERR0807 if one of the files exists and must not be replaced. */
export const refuseReplacing = (files: readonly string[], mayReplace: boolean): void => {
  const present = files.find((file) => existsSync(file));
  if (present !== undefined && !mayReplace)
    throw failure({ code: 'ERR0807', file: present, detail: 'it exists already' });
};

/** Writes a file as a whole. Throws ERR0807 if that fails. */
export const writeWholeFile = (file: string, text: string): void => {
  try {
    replaceFile(file, text, { backup: false, lasting: 'name' });
  } catch (thrown) {
    throw failure({ code: 'ERR0807', file, detail: messageOf(thrown) });
  }
};
