// What a command is to the program: it reads its line, does its work, and says how it went.
import type { Context } from './context.ts';
import type { ExitStatus } from '../streams/wire/exit-status.ts';
import type { Parsed } from './grammar/parsed.ts';

/** Settles with the exit status; `undefined` leaves the process to whatever the command started in it. */
export type Handler = (parsed: Parsed, context: Context) => Promise<ExitStatus | undefined>;
