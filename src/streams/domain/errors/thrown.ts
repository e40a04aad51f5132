// What was thrown, in words. A bug is an exception that nobody expected: a line for the log, with where it was met.

/** What it says; anything can be thrown. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

/** A bug, with all that is known of it. */
export const bugText = (where: string, thrown: unknown): string =>
  `ERR0001 ${where}: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`;
