// An exception that nobody expected, as a line for a log: a bug, with where it was met and all that is known of it.

export const bugText = (where: string, error: unknown): string =>
  `ERR0001 ${where}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
