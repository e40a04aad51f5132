// What a command is to the program: it reads its line, does its work, and reports its status.
import type { Context } from './context.ts';
import type { ExitStatus } from '../streams/wire/exit-status.ts';
import type { Parsed } from './grammar/parsed.ts';

/** Settles with the exit status, or with `undefined` if what the command started keeps the process. */
export type Handler = (parsed: Parsed, context: Context) => Promise<ExitStatus | undefined>;
