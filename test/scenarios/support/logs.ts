// What was written down: the supervisor's own log, and the logs of services with their rotated files, oldest first.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** `web.log.2`, `web.log.1`, `web.log`. */
export const serviceLog = ({ data }: Stage, service: string): readonly string[] => {
  const [project = '', name = ''] = fullName(service).split('/');
  const directory = join(data, 'logs', project);
  const age = (file: string): number => Number(/\.(\d+)$/.exec(file)?.[1] ?? 0);
  return filesIn(directory)
    .filter((file) => file === `${name}.log` || file.startsWith(`${name}.log.`))
    .toSorted((a, b) => age(b) - age(a))
    .flatMap((file) => linesIn(join(directory, file)));
};
