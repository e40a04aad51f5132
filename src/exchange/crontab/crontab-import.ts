// Imports crontabs: those of users, and those of the system, in which each line also names a user.
import { basename, dirname } from 'node:path';
import { failure } from '../../streams/views/errors/command-failure.ts';
import { checkedRows, readSettings } from '../apply-table.ts';
import type { DraftService, ImportDeps, ImportDraft, ImportFormat } from '../import-format.ts';
import { cleanNames } from '../service-names.ts';
import type { SourceText } from '../source-texts.ts';
import { type CrontabJob, crontabLines } from './crontab-lines.ts';
import { CRONTAB_ROWS } from './crontab-table.ts';
import { entryOf, type Plain, type Setting, type Loss } from '../key-table.ts';
import { literalText } from '../manifest-text.ts';

/**
 * Variables in a crontab that configure cron for the jobs in the lines below them. The jobs do not get these
 * variables.
 */
const OF_CRON = /^(?:MAILTO|MAILFROM|CONTENT_TYPE|CONTENT_TRANSFER_ENCODING)$/;
const OF_SCHEDULE = ['CRON_TZ', 'RANDOM_DELAY'];

/** Home directories by the names of accounts. */
type Accounts = ReadonlyMap<string, string>;

const accountsOf = ({ readIfPresent }: ImportDeps): Accounts =>
  new Map(
    (readIfPresent('/etc/passwd')?.text ?? '').split('\n').map((line) => {
      const [name = '', , , , , home = '/'] = line.split(':');
      return [name, home];
    }),
  );

interface Job extends CrontabJob {
  readonly command: string;
  readonly user?: string;
}

const isOfSystem = (path: string, directory: string): boolean =>
  directory.endsWith('/cron.d') || (basename(path) === 'crontab' && directory.endsWith('/etc'));

/**
 * Returns the jobs of a crontab. In a system crontab, the first word of each command is the user. A system
 * crontab is recognised by its path, or because each command begins with the name of an account.
 */
const jobsOf = (file: SourceText, accounts: Accounts): readonly Job[] => {
  const { jobs } = crontabLines(file);
  const split = jobs.map((job) => ({ job, parts: /^(\S+)\s+(.*)$/s.exec(job.rest) ?? [] }));
  const isNamed = split.every(({ parts: [, user] }) => user !== undefined && accounts.has(user));
  if (!isOfSystem(file.path, file.directory) && !isNamed)
    return jobs.map((job) => ({ ...job, command: job.rest }));
  return split.map(({ job, parts: [, user, command] }) => {
    if (user !== undefined && command !== undefined) return { ...job, user, command };
    const detail = 'a line of a system crontab has a user before the command';
    throw failure({ code: 'ERR0802', format: 'a crontab', detail, ...job.place });
  });
};

const PREPARING = ['cd', 'test', 'exec', 'env', 'nice', 'ionice', 'sh', 'bash', 'if', '[', '{', '!', '/'];

/**
 * True for a word that cannot name a job: an option, an assignment, a number, or a word that only prepares
 * the program, such as `cd` or `nice`.
 */
const isPreparing = (word: string): boolean =>
  PREPARING.includes(word) || word.startsWith('-') || word.includes('=') || /^\d+$/.test(word);

/** Returns a name for a job: the name of the program in its command. */
const nameOf = ({ command }: Job): string => {
  const words = command
    .replaceAll(/\bcd\s+\S+/g, ' ')
    .split(/[\s;&|()]+/)
    .filter((word) => word !== '');
  return basename(words.find((word) => !isPreparing(word) && !isPreparing(basename(word))) ?? 'job');
};

const variablesOf = ({ variables, user }: Job): Readonly<Record<string, string>> => {
  const own = Object.entries(variables).filter(
    ([name]) => !OF_CRON.test(name) && !OF_SCHEDULE.includes(name) && name !== 'LOGNAME',
  );
  const login = user === undefined ? { HOME: '${HOME}', LOGNAME: '${LOGNAME:-}' } : {};
  const literal = own.map(([name, value]) => [name, literalText(value)]);
  return { SHELL: '/bin/sh', PATH: '/usr/bin:/bin', ...login, ...Object.fromEntries(literal) } as Record<
    string,
    string
  >;
};

const settingsOf = ({ times, command, user, variables, place }: Job): readonly Setting[] => [
  { key: 'five fields', value: times.join(' '), place },
  ...(user === undefined ? [] : [{ key: 'user', value: user, place }]),
  ...(times[0] === '@reboot'
    ? []
    : OF_SCHEDULE.flatMap((key) => {
        const value = variables[key];
        return value === undefined || value === '' ? [] : [{ key, value, place }];
      })),
  { key: 'command', value: command, place },
];

const CHECKED = checkedRows(CRONTAB_ROWS);

const GENERAL: readonly (readonly [string, string])[] = [
  ['overlap', 'cron also starts a job whose last run is still alive; sup skips that time (cron.overlap)'],
  ['output', 'cron mails the output of a job to its owner; sup keeps it, and sup logs shows it'],
];

const remarks = (jobs: readonly Job[]): readonly Loss[] => {
  const [first] = jobs;
  if (first === undefined) return [];
  return GENERAL.map(([key, message]) => ({ effect: 'changed', key, message, place: first.place }));
};

const homeOf = ({ user, variables: { HOME } }: Job, accounts: Accounts): string => {
  if (HOME !== undefined) return literalText(HOME);
  return user === undefined ? '${HOME}' : (accounts.get(user) ?? '/');
};

interface JobContext {
  readonly accounts: Accounts;
  /** The names of the variables that have the same value in all jobs. */
  readonly shared: ReadonlySet<string>;
}

const draftOf = (job: Job, service: string, { accounts, shared }: JobContext): DraftService => {
  const { place } = job;
  const context = { shell: job.variables['SHELL'] ?? '/bin/sh', home: homeOf(job, accounts) };
  const { entries, losses } = readSettings(settingsOf(job), CHECKED, { service, place, context });
  const own = Object.entries(variablesOf(job)).filter(([name]) => !shared.has(name));
  const env = own.length > 0 ? [entryOf(['env', 'vars'], Object.fromEntries<Plain>(own))] : [];
  return { name: service, place, section: { entries: [...entries, ...env], losses } };
};

/** Returns the losses of the variables that are about mail. */
const mailLosses = (files: readonly SourceText[]): readonly Loss[] => {
  const variables = files.flatMap((file) => crontabLines(file).settings);
  const settings = variables
    .filter(({ name }) => OF_CRON.test(name))
    .map(({ name, value, place }) => ({ key: name, value, place }));
  const rows = CHECKED.map(({ absent: _, ...row }) => row);
  const place = { file: files[0]?.path ?? '', line: 1 };
  return readSettings(settings, rows, { place, context: { shell: '', home: '' } }).losses;
};

const read = (files: readonly SourceText[], deps: ImportDeps): ImportDraft => {
  const accounts = accountsOf(deps);
  const jobs = files.flatMap((file) => jobsOf(file, accounts));
  const names = cleanNames(jobs.map(nameOf));
  const variables = jobs.map(variablesOf);
  const shared = Object.entries(variables[0] ?? {}).filter(([name, value]) =>
    variables.every((each) => each[name] === value),
  );
  const around = { accounts, shared: new Set(shared.map(([name]) => name)) };
  return {
    project: 'cron',
    services: jobs.map((job, index) => draftOf(job, names[index] ?? '', around)),
    whole: [entryOf(['env', 'clean'], true), entryOf(['env', 'vars'], Object.fromEntries(shared))],
    losses: [...mailLosses(files), ...remarks(jobs)],
  };
};

const JOB =
  /^-?(?:@(?:reboot|yearly|annually|monthly|weekly|daily|midnight|hourly)|[\d*][\d*,/-]*(?:\s+[\w*,/-]+){4})\s+\S/;

const looksLikeCrontab = (text: string): boolean => {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  return (
    lines.some((line) => JOB.test(line)) && lines.every((line) => JOB.test(line) || /^\w+\s*=/.test(line))
  );
};

export const crontab: ImportFormat = {
  name: 'crontab',
  title: 'a crontab',
  rows: CRONTAB_ROWS,
  recognises: ({ path, directory, text }) =>
    basename(path) === 'crontab' ||
    ['cron.d', 'crontabs'].includes(basename(dirname(`${directory}/x`))) ||
    looksLikeCrontab(text),
  read,
};
