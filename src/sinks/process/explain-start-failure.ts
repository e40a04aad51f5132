// Explains why a process could not be started (the detail of ERR0113). The possible causes are checked only
// after the kernel has refused to start the process.
// Rules: `docs/behaviour.md`, "Starting", "The process".
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import { errnoOf, isMissing, refusalText } from '../../os/errno.ts';
import type { ChildPlan } from './start-by-node.ts';

export interface Explanation {
  /**
   * The thing that caused the failure: the working directory or the program. Absent if a limit or another
   * property of the machine caused it.
   */
  readonly about?: 'directory' | 'program';
  /** The reason, as a sentence without a full stop. */
  readonly detail: string;
}

const ABOUT_PROGRAM: ReadonlySet<string> = new Set(['ENOENT', 'EACCES', 'ENOTDIR', 'ENOEXEC']);

export const explainRefusal = async (plan: ChildPlan, error: unknown): Promise<Explanation> => {
  const inDirectory = await directoryTrouble(plan.directory);
  if (inDirectory !== undefined) return { about: 'directory', detail: inDirectory };
  const code = errnoOf(error) ?? '';
  const detail = (await programTrouble(plan, code)) ?? messageOf(error);
  return ABOUT_PROGRAM.has(code) ? { about: 'program', detail } : { detail };
};

const directoryTrouble = async (directory: string): Promise<string | undefined> => {
  try {
    const found = await stat(directory);
    if (!found.isDirectory()) return `working directory ${directory} is not a directory`;
    await access(directory, constants.X_OK);
    return undefined;
  } catch (error) {
    const why = isMissing(error) ? 'does not exist' : `cannot be entered (${messageOf(error)})`;
    return `working directory ${directory} ${why}`;
  }
};

const programTrouble = async (plan: ChildPlan, code: string): Promise<string | undefined> => {
  const program = plan.argv[0] ?? '';
  if (code === 'ENOEXEC') return `program ${program} is not made for this machine (ENOEXEC)`;
  if (!ABOUT_PROGRAM.has(code)) return WORDS[code];
  if (program === '') return 'the program name is empty';
  if (!program.includes('/')) return notOnPath(program, plan.environment['PATH'], code);
  return fileTrouble(program, resolve(plan.directory, program));
};

const notOnPath = (program: string, path: string | undefined, code: string): string => {
  const where = path === undefined ? 'the default PATH (the service has none)' : 'the PATH of the service';
  return code === 'EACCES'
    ? `program "${program}" was found in ${where}, but it is not executable`
    : `program "${program}" was not found in ${where}`;
};

const fileTrouble = async (program: string, file: string): Promise<string> => {
  const shown = program === file ? file : `${program} (${file})`;
  try {
    const found = await stat(file);
    if (found.isDirectory()) return `program ${shown} is a directory`;
    await access(file, constants.X_OK);
    return `program ${shown} exists, but what should run it (its "#!" line or loader) does not`;
  } catch (error) {
    return isMissing(error)
      ? `program ${shown} does not exist`
      : `program ${shown} is not executable (${refusalText(error)})`;
  }
};

const WORDS: Readonly<Record<string, string>> = {
  E2BIG: 'arguments and environment together are larger than the kernel allows (E2BIG)',
  EAGAIN:
    'the limit on the number of processes is reached (EAGAIN: ulimit -u of the supervisor, or TasksMax of its unit)',
  ENOMEM: 'there is not enough memory for another process (ENOMEM)',
  EMFILE:
    'the supervisor has too many open files (EMFILE: ulimit -n of the supervisor, or LimitNOFILE of its unit)',
  ENFILE: 'the machine has too many open files (ENFILE)',
};
