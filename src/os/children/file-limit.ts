// The open-file limit of a process, and its value before Node raised it.
import { readFileSync } from 'node:fs';

interface FileLimit {
  readonly soft: number;
  readonly hard: number;
}

/** The default pair of systemd: a process with this hard limit had that soft limit. */
const BY_DEFAULT: FileLimit = { soft: 1024, hard: 524_288 };

const LINE = /^Max open files\s+(\S+)\s+(\S+)/m;

const worded = (word = ''): number => (word === 'unlimited' ? Number.POSITIVE_INFINITY : Number(word));

/** `undefined` if it cannot be read. */
export const fileLimitOf = (pid: number): FileLimit | undefined => {
  try {
    const [, soft, hard] = LINE.exec(readFileSync(`/proc/${pid}/limits`, 'latin1')) ?? [];
    return soft === undefined ? undefined : { soft: worded(soft), hard: worded(hard) };
  } catch {
    return undefined;
  }
};

/**
 * The soft limit with which a Node process was started. It is that of its nearest ancestor that is no Node
 * program, if both have the same hard limit. `undefined`: unknown, so the limit stays as it is.
 */
export const softFilesBeforeNode = (
  own: FileLimit | undefined,
  ancestor: FileLimit | undefined,
): number | undefined => {
  if (own === undefined || own.soft < own.hard) return own?.soft;
  if (ancestor?.hard === own.hard) return ancestor.soft;
  return own.hard === BY_DEFAULT.hard ? BY_DEFAULT.soft : undefined;
};
