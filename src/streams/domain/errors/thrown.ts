// Text for thrown values. An unexpected exception is a bug, so its log line says where it was caught.

/** Returns the message of an error, or any other thrown value as text. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

/** Returns the log line for a bug: where it was caught, and its stack. */
export const bugText = (where: string, thrown: unknown): string =>
  `ERR0001 ${where}: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`;
