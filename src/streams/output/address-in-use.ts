// Finds the message "Address already in use" in the output of a program, and the port in this message.
import type { Evidence } from '../domain/errors/error.ts';

const IN_USE = /EADDRINUSE|AddrInUse|(?:address|port \d+)(?: (?:is|was))? already in use/i;

/**
 * Patterns that find a port, as in `0.0.0.0:80`, `*:80`, `[::]:80`, `:::80`, `port 80`, `port: 80`,
 * `('127.0.0.1', 80)`.
 */
const PORTS: readonly RegExp[] = [
  /(?:\.\d{1,3}|\*|\]|\blocalhost|::|(?<=[\s"'(])):(\d{2,5})\b/,
  /\bport:? (\d{2,5})\b/i,
  /', (\d{2,5})\)/,
];

const HIGHEST = 65_535;

const portOf = (line: string): number | undefined => {
  const [text] = PORTS.flatMap((pattern) => pattern.exec(line)?.[1] ?? []);
  const port = Number(text);
  return port > 0 && port <= HIGHEST ? port : undefined;
};

/** True if a line says that an address is in use. */
export const saysInUse = (evidence: Evidence): boolean => evidence.some((line) => IN_USE.test(line));

/** Returns the first port that is named in the first line with "address in use" or in a later line. */
export const portInUse = (evidence: Evidence): number | undefined => {
  const first = evidence.findIndex((line) => IN_USE.test(line));
  if (first < 0) return undefined;
  return evidence.slice(first).flatMap((line) => portOf(line) ?? [])[0];
};
