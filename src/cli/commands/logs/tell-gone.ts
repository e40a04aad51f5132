// Reports removed logs.
import type { Context } from '../../context.ts';
import { EXIT, type ExitStatus } from '../../../streams/wire/exit-status.ts';
import { printDocument, printLines } from '../../print.ts';
import type { LogFile } from './pruned.ts';

/** In bytes. */
export const sizeOf = (files: readonly LogFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

export const tellGone = (context: Context, gone: readonly LogFile[], line: string): ExitStatus => {
  const files = gone.map(({ path, bytes }) => ({ path, bytes }));
  if (context.json) printDocument(context, { schema: 'sup.pruned/1', bytes: sizeOf(gone), files });
  else printLines(context, [line, ...files.map(({ path }) => `  ${path}`)]);
  return EXIT.done;
};
