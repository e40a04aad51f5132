// Accounts and groups by name or number: from `/etc/passwd` and `/etc/group`, and where they know nothing, from whatever
// else this machine asks (`getent`, `id`: LDAP and the like).
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Account } from '../streams/domain/account.ts';

type Fields = readonly string[];

/** Lines of fields between colons. */
const entriesIn = (text: string): readonly Fields[] =>
  text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(':'));

const ask = (program: string, ...args: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    execFile(program, args, { encoding: 'utf8' }, (error, stdout) => resolve(error === null ? stdout : ''));
  });

/** A name that looks like a number means the number, unless an account has it for its name. */
const isNumber = (text: string): boolean => /^\d+$/.test(text);

/** What stands for no number is none: an empty field is not root. */
const idIn = (text = ''): number => (isNumber(text) ? Number(text) : Number.NaN);

const named = (entries: readonly Fields[], wanted: string): Fields | undefined =>
  entries.find(([name]) => name === wanted) ??
  (isNumber(wanted) ? entries.find(([, , id]) => id === wanted) : undefined);

const lookUp = async (database: 'passwd' | 'group', wanted: string): Promise<Fields | undefined> =>
  named(entriesIn(readFileSync(`/etc/${database}`, 'utf8')), wanted) ??
  named(entriesIn(await ask('getent', database, wanted)), wanted);

const membershipsOf = async (name: string): Promise<readonly number[]> => {
  const listed = entriesIn(readFileSync('/etc/group', 'utf8'))
    .filter(([, , , members = '']) => members.split(',').includes(name))
    .map(([, , gid]) => idIn(gid));
  const told = entriesIn(readFileSync('/etc/passwd', 'utf8')).some(([known]) => known === name)
    ? ''
    : await ask('id', '-G', '--', name);
  return [...listed, ...told.split(/\s+/).filter(isNumber).map(Number)];
};

/** `undefined`: nobody of that name or number. */
export const findAccount = async (wanted: string): Promise<Account | undefined> => {
  const entry = await lookUp('passwd', wanted);
  if (entry === undefined) return undefined;
  const [name = wanted, , uid, gid, , home = '/', shell = ''] = entry;
  const groups = [...new Set([idIn(gid), ...(await membershipsOf(name))])];
  return {
    name,
    uid: idIn(uid),
    gid: idIn(gid),
    groups,
    home,
    shell: shell === '' ? '/bin/sh' : shell,
  };
};

/** Its number; a number needs no entry. `undefined`: no group of that name. */
export const findGroup = async (wanted: string): Promise<number | undefined> => {
  const gid = (await lookUp('group', wanted))?.[2];
  if (gid !== undefined) return idIn(gid);
  return isNumber(wanted) ? Number(wanted) : undefined;
};
