// What the operating system says when it refuses something, as text.

/** `ENOSPC`, `EACCES`, …; what there is instead when it is not a refusal of the system's. */
export const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
};

/** Tells the operator, once per trouble. */
export type OnTrouble = (text: string) => void;
