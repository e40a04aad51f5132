// The user and group ids in use on this machine, and the ranges of `/etc/subuid` and `/etc/subgid` that
// belong to root.
import { textIfThere } from './files/read-text.ts';

interface IdRange {
  readonly first: number;
  readonly count: number;
}

interface GivenIds {
  /** Ranges that belong to root. */
  readonly own: readonly IdRange[];
  /** Ids of accounts, and the ranges of `/etc/subuid` or `/etc/subgid`. */
  readonly taken: readonly IdRange[];
}

type Fields = readonly string[];

const linesOf = (path: string): readonly Fields[] => {
  const text = textIfThere(path);
  return typeof text === 'string' ? text.split('\n').map((line) => line.split(':')) : [];
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
