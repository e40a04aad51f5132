// Accounts and groups by name or number: from `/etc/passwd` and `/etc/group`, and where they know nothing, from whatever
// else this machine asks (`getent`, `id`: LDAP and the like).
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { errnoOf } from './errno.ts';
import type { Account } from '../streams/domain/account.ts';
import { seconds, type Ms } from '../streams/domain/time.ts';

type Fields = readonly string[];

/** Lines of fields between colons. */
const entriesIn = (text: string): readonly Fields[] =>
  text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(':'));

/** Whether there is anybody of that name is not known. */
export class NoAnswer extends Error {}

/** A directory service that is down may be silent for minutes, and who waits for it can neither start nor stop. */
const PATIENCE = seconds(5);

/** Rejects with `NoAnswer`; nothing is what a program says that has failed. */
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

/** A name that looks like a number means the number, unless an account has it for its name. */
const isNumber = (text: string): boolean => /^\d+$/.test(text);

/** What stands for no number is none: an empty field is not root. */
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

/** The uid of an account; a number needs none. `undefined`: no such account. Rejects with `NoAnswer`. */
export const findUid = async (wanted: string, patience = PATIENCE): Promise<number | undefined> => {
  const uid = (await lookUp('passwd', wanted, patience))?.[2];
  if (uid !== undefined) return idIn(uid);
  return isNumber(wanted) ? Number(wanted) : undefined;
};

/** `undefined`: nobody of that name or number. Rejects with `NoAnswer`. */
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
 * True if the account or group exists, by name or number. `undefined`: the name service did not answer. It blocks for as
 * long as that takes: not for the supervisor.
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

/** Its number; a number needs no entry. `undefined`: no group of that name. Rejects with `NoAnswer`. */
export const findGroup = async (wanted: string, patience = PATIENCE): Promise<number | undefined> => {
  const gid = (await lookUp('group', wanted, patience))?.[2];
  if (gid !== undefined) return idIn(gid);
  return isNumber(wanted) ? Number(wanted) : undefined;
};
