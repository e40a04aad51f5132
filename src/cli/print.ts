// Prints the results of commands: with `--json` a document, otherwise sentences. Warnings go to standard
// error.
import type { Done } from '../streams/domain/command.ts';
import { doneDocument } from '../streams/views/done-document.ts';
import { documentJson, shownText } from '../streams/views/words/foreign-text.ts';
import type { Context } from './context.ts';
import type { CommandName } from './grammar/command-table.ts';
import { outcomeLines } from './render/outcome-lines.ts';
import { warningLines } from './render/page/error-page.ts';
import type { AnyDocument } from '../streams/wire/documents/any-document.ts';

export const printDocument = ({ world }: Context, document: AnyDocument): void =>
  world.stdout.write(`${documentJson(document)}\n`);

export const printLines = ({ world }: Context, lines: readonly string[]): void =>
  world.stdout.write(lines.map((line) => `${line}\n`).join(''));

/** Prints a remark on standard error, except with `--quiet` or `--json`. */
export const remark = ({ world, quiet, json }: Context, text: string): void => {
  if (!quiet && !json) world.stderr.write(`${shownText(text)}\n`);
};

/** Returns a sentence that says why records are shown. */
export const unsupervised = ({
  supervisor,
}: {
  readonly supervisor: { readonly running: boolean };
}): string =>
  `${supervisor.running ? 'the supervisor does not answer' : 'no supervisor is running'}: this is what was last recorded`;

export const printWarnings = (context: Context, warnings: readonly string[]): void => {
  if (context.quiet) return;
  const { stderr } = context.world;
  warningLines(warnings, context.colorOn(stderr)).forEach((line) => stderr.write(`${line}\n`));
};

/** Maximum number of names printed per kind of outcome; `--verbose` prints all. */
export const MOST_NAMES = 10;

interface PrintOptions {
  readonly command: CommandName;
  /** Additional lines, printed after the lines about services. */
  readonly beside?: readonly string[];
  /** The line to print if there are no outcomes. */
  readonly none?: string;
}

/** Prints the result of a successful command. */
export const printDone = (
  context: Context,
  done: Done,
  { command, beside = [], none = '0 services' }: PrintOptions,
): void => {
  printWarnings(context, done.warnings);
  if (context.json) return printDocument(context, doneDocument(command, done));
  if (context.quiet) return;
  const lines = outcomeLines(done.outcomes, context.verbose ? Infinity : MOST_NAMES);
  printLines(context, [...(lines.length === 0 ? [none] : lines), ...beside]);
};
