// Looks up accounts and groups by name or number: first in `/etc/passwd` and `/etc/group`, then by the
// programs `getent` and `id`, which ask the name service. Also lists the ids in use, and the id ranges that
// `/etc/subuid` and `/etc/subgid` grant to root.
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { errnoOf } from './errno.ts';
import { textIfThere } from './files/own-file.ts';
import type { Account } from '../streams/domain/account.ts';
import { type Ms, seconds } from '../streams/domain/time.ts';

type Fields = readonly string[];

/** Splits the text into lines, and each line at colons. Skips comments. */
const entriesIn = (text: string): readonly Fields[] =>
  text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(':'));

/** Thrown if the name service did not answer, so that it is unknown whether the name exists. */
export class NoAnswer extends Error {}

/**
 * The timeout of a query to the name service. Without a timeout, a directory service that is down could delay
 * the answer for minutes.
 */
const PATIENCE = seconds(5);

/**
 * Runs a program. Resolves with its output, or with an empty text if it fails. Rejects with `NoAnswer` after
 * the timeout.
 */
const ask = (patience: Ms, program: string, ...args: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(patience);
    execFile(program, args, { encoding: 'utf8', signal, killSignal: 'SIGKILL' }, (error, stdout) => {
      const words = [program, ...args].join(' ');
      if (error === null) resolve(stdout);
      else if (error.name !== 'AbortError') resolve('');
      else reject(new NoAnswer(`${words} did not answer within ${patience / 1000} s`));
    });
  });

/** True if the text has only digits. Such a text is an id, unless an account or group has this name. */
const isNumber = (text: string): boolean => /^\d+$/.test(text);

/** Returns the id; NaN if the text is not a number, because an empty field must not mean root (0). */
const idIn = (text = ''): number => (isNumber(text) ? Number(text) : Number.NaN);

const named = (entries: readonly Fields[], wanted: string): Fields | undefined =>
  entries.find(([name]) => name === wanted) ??
  (isNumber(wanted) ? entries.find(([, , id]) => id === wanted) : undefined);

const lookUp = async (
  database: 'passwd' | 'group',
  wanted: string,
  patience: Ms,
): Promise<Fields | undefined> =>
  named(entriesIn(readFileSync(`/etc/${database}`, 'utf8')), wanted) ??
  named(entriesIn(await ask(patience, 'getent', database, wanted)), wanted);

const membershipsOf = async (name: string, patience: Ms): Promise<readonly number[]> => {
  const listed = entriesIn(readFileSync('/etc/group', 'utf8'))
    .filter(([, , , members = '']) => members.split(',').includes(name))
    .map(([, , gid]) => idIn(gid));
  const told = entriesIn(readFileSync('/etc/passwd', 'utf8')).some(([known]) => known === name)
    ? ''
    : await ask(patience, 'id', '-G', '--', name);
  return [...listed, ...told.split(/\s+/).filter(isNumber).map(Number)];
};

/**
 * Resolves with the uid of the account that has this name or number; `undefined` for an unknown name. For an
 * unknown number, resolves with the number itself. Rejects with `NoAnswer` if the name service does not
 * answer.
 */
export const findUid = async (wanted: string, patience = PATIENCE): Promise<number | undefined> => {
  const uid = (await lookUp('passwd', wanted, patience))?.[2];
  if (uid !== undefined) return idIn(uid);
  return isNumber(wanted) ? Number(wanted) : undefined;
};

/**
 * Resolves with the account that has this name or number; `undefined` if there is none. Rejects with
 * `NoAnswer` if the name service does not answer.
 */
export const findAccount = async (wanted: string, patience = PATIENCE): Promise<Account | undefined> => {
  const entry = await lookUp('passwd', wanted, patience);
  if (entry === undefined) return undefined;
  const [name = wanted, , uid, gid, , home = '/', shell = ''] = entry;
  const groups = [...new Set([idIn(gid), ...(await membershipsOf(name, patience))])];
  return {
    name,
    uid: idIn(uid),
    gid: idIn(gid),
    groups,
    home,
    shell: shell === '' ? '/bin/sh' : shell,
  };
};

/**
 * True if the account or group exists; `undefined` if the name service does not answer. Blocks this process,
 * so the supervisor must not call it.
 */
export const isKnown = (
  database: 'passwd' | 'group',
  wanted: string,
  patience = PATIENCE,
): boolean | undefined => {
  if (named(entriesIn(readFileSync(`/etc/${database}`, 'utf8')), wanted) !== undefined) return true;
  try {
    execFileSync('getent', [database, wanted], { stdio: 'ignore', timeout: patience, killSignal: 'SIGKILL' });
    return true;
  } catch (error) {
    return errnoOf(error) === 'ETIMEDOUT' ? undefined : false;
  }
};

/**
 * Resolves with the gid of the group that has this name or number; `undefined` for an unknown name. For an
 * unknown number, resolves with the number itself. Rejects with `NoAnswer` if the name service does not
 * answer.
 */
export const findGroup = async (wanted: string, patience = PATIENCE): Promise<number | undefined> => {
  const gid = (await lookUp('group', wanted, patience))?.[2];
  if (gid !== undefined) return idIn(gid);
  return isNumber(wanted) ? Number(wanted) : undefined;
};

interface IdRange {
  readonly first: number;
  readonly count: number;
}

interface GivenIds {
  /** The id ranges that `/etc/subuid` or `/etc/subgid` grant to root. */
  readonly own: readonly IdRange[];
  /** Ids of all accounts (or groups), and all ranges in `/etc/subuid` (or `/etc/subgid`). */
  readonly taken: readonly IdRange[];
}

const linesOf = (path: string): readonly Fields[] => {
  const text = textIfThere(path);
  return typeof text === 'string' ? entriesIn(text) : [];
};

const isRange = ({ first, count }: IdRange): boolean => Number.isInteger(first) && count > 0;

const rangesIn = (lines: readonly Fields[]): readonly IdRange[] =>
  lines.map(([, first, count]) => ({ first: Number(first), count: Number(count) })).filter(isRange);

const idsIn = (lines: readonly Fields[]): readonly IdRange[] =>
  lines.map(([, , id]) => ({ first: Number(id), count: 1 })).filter(isRange);

const isRoots = ([name]: Fields): boolean => name === 'root' || name === '0';

const givenIn = (accounts: string, parts: string): GivenIds => {
  const given = linesOf(parts);
  return {
    own: rangesIn(given.filter(isRoots)),
    taken: [...rangesIn(given), ...idsIn(linesOf(accounts))],
  };
};

export const machineIds = (): { readonly users: GivenIds; readonly groups: GivenIds } => ({
  users: givenIn('/etc/passwd', '/etc/subuid'),
  groups: givenIn('/etc/group', '/etc/subgid'),
});
