// How long a test waits for something that takes milliseconds on an idle machine. The default of vitest is a second.
export const PATIENT = { timeout: 30_000 } as const;
