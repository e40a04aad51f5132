// What commands print: one document on the standard output with `--json`, a sentence without; warnings always aside.
import type { Done } from '../streams/domain/command.ts';
import type { Context } from './context.ts';
import type { CommandName } from './grammar/commands.ts';
import { harmless, paintOf } from './render/paint.ts';

export const printDocument = ({ world }: Context, document: unknown): void =>
  world.stdout.write(`${JSON.stringify(document)}\n`);

export const printLines = ({ world }: Context, lines: readonly string[]): void =>
  world.stdout.write(lines.map((line) => `${line}\n`).join(''));

/** A remark aside, about how it goes. Silent with `--quiet`, and with `--json`: an error document stands alone. */
export const remark = ({ world, quiet, json }: Context, text: string): void => {
  if (!quiet && !json) world.stderr.write(`${text}\n`);
};

export const printWarnings = (context: Context, warnings: readonly string[]): void => {
  if (context.quiet) return;
  const { stderr } = context.world;
  const paint = paintOf(context.colorOn(stderr));
  for (const warning of warnings) stderr.write(`${paint('yellow', `warning: ${harmless(warning)}`)}\n`);
};

const counted = (number: number): string => (number === 1 ? '1 service' : `${number} services`);

/** The outcome of a command that went well. `past` is what became of its services: `started`, `stopped`. */
export const printDone = (
  context: Context,
  { services, warnings }: Done,
  { command, past }: { readonly command: CommandName; readonly past: string },
): void => {
  printWarnings(context, warnings);
  if (context.json) printDocument(context, { schema: 'sup.done/1', command, services, warnings });
  else if (!context.quiet) printLines(context, [`${counted(services.length)} ${past}`]);
};
