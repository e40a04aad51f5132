// What was written down: the supervisor's own log, and the logs of services with their rotated files, oldest first.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { fullName, type Stage } from './stage.ts';

const linesIn = (path: string): readonly string[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');

const filesIn = (directory: string): readonly string[] =>
  existsSync(directory) ? readdirSync(directory) : [];

/** What the supervisor said, in its log and on its standard error. */
export const supervisorLog = ({ data }: Stage): readonly string[] => {
  const directory = join(data, 'logs');
  return filesIn(directory)
    .filter((file) => file.startsWith('supervisor'))
    .flatMap((file) => linesIn(join(directory, file)));
};

interface LogFile {
  readonly path: string;
  /** A rotation gives the path another one. */
  readonly inode: number | undefined;
}

const ageOf = (file: string): number => Number(/\.(\d+)$/.exec(file)?.[1] ?? 0);

/** `web.log.2`, `web.log.1`, `web.log`. */
const logFiles = (directory: string, name: string): readonly LogFile[] =>
  filesIn(directory)
    .filter((file) => file === `${name}.log` || file.startsWith(`${name}.log.`))
    .toSorted((a, b) => ageOf(b) - ageOf(a))
    .map((file) => join(directory, file))
    .map((path) => ({ path, inode: statSync(path, { throwIfNoEntry: false })?.ino }));

/** The lines of the files; `undefined` if one was removed. */
const linesInAll = (files: readonly LogFile[]): readonly string[] | undefined => {
  try {
    return files.flatMap(({ path }) => linesIn(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

/** The lines of a service, oldest first. Reads again if a rotation came in between: it moves lines between files. */
export const serviceLog = ({ data }: Stage, service: string): readonly string[] => {
  const [project = '', name = ''] = fullName(service).split('/');
  const directory = join(data, 'logs', project);
  for (;;) {
    const files = logFiles(directory, name);
    const lines = linesInAll(files);
    if (lines !== undefined && isDeepStrictEqual(files, logFiles(directory, name))) return lines;
  }
};
