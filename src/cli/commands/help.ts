// `sup help`: prints the help page of a command, or of the program.
import { EXIT } from '../../streams/wire/command-exit-status.ts';
import { unknownCommand } from '../grammar/check-line.ts';
import { isCommand } from '../grammar/command-table.ts';
import type { Handler } from '../context.ts';

const WIDTH = 100;

export const help: Handler = async ({ operands: [about] }, { world: { stdout } }) => {
  if (about !== undefined && !isCommand(about)) throw unknownCommand(about);
  const { helpPage } = await import('../grammar/help-page.ts');
  stdout.write(`${await helpPage(about, stdout.columns() ?? WIDTH)}\n`);
  return EXIT.done;
};
