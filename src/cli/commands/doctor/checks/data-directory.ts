// Owner of the data directory, whether it is writable, and which other users may read it.
import { lstatSync, readdirSync, readlinkSync, realpathSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { isMissing } from '../../../../os/errno.ts';
import { troubleWithPlace } from '../../../../os/files/path-trust.ts';
import { refuseSocketPlace } from '../../../../sources/control/socket-place.ts';
import { misplacedIn, unwritable } from '../../../../sources/store/directory-claim.ts';
import { judgeDirectory, type DirectoryFacts } from '../../../../streams/doctor/data-directory.ts';
import { errorDocument } from '../../../../streams/views/errors/error-text.ts';
import { messageOf } from '../../../../streams/domain/errors/thrown.ts';
import { placePorts, writtenDataDir, type Context } from '../../../context.ts';
import type { Check } from '../check.ts';

const OTHERS = 0o077;

const modeText = ({ mode }: Stats): string => (mode & 0o7777).toString(8).padStart(4, '0');

/** Undefined if it was removed meanwhile. */
const statIfThere = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false });

const openBelow = (path: string): readonly string[] => {
  const stats = statIfThere(path);
  if (stats === undefined || stats.isSymbolicLink()) return [];
  const own = (stats.mode & OTHERS) === 0 ? [] : [`${path} (${modeText(stats)})`];
  return stats.isDirectory()
    ? [...own, ...readdirSync(path).flatMap((name) => openBelow(join(path, name)))]
    : own;
};

/** Describes a dangling link: no directory can be created in its place. */
const nowhereFrom = (path: string): string | undefined =>
  statIfThere(path)?.isSymbolicLink() === true
    ? `it is a link to ${readlinkSync(path)}, which is not there`
    : undefined;

const factsAt = (path: string, uid: number): Omit<DirectoryFacts, 'strange'> => {
  const nothing = { path, owner: uid, uid, open: [] };
  try {
    const realPath = realpathSync(path);
    const facts = { path, realPath, owner: statSync(path).uid, uid, open: openBelow(realPath) };
    return { ...facts, unwritable: unwritable(path), misplaced: misplacedIn(path) };
  } catch (error) {
    const refused = isMissing(error) ? nowhereFrom(path) : messageOf(error);
    return refused === undefined ? nothing : { ...nothing, realPath: path, refused };
  }
};

const strangeAt = ({ sys, dataDir, world }: Context): string | undefined =>
  sys ? (troubleWithPlace(writtenDataDir(sys, world)) ?? troubleWithPlace(dataDir)) : undefined;

const socketlessAt = (context: Context): string | undefined => {
  const refusal = refuseSocketPlace(placePorts(context));
  return refusal && errorDocument(refusal).message;
};

export const dataDirectory: Check = {
  name: 'data directory',
  look: (context) => {
    const facts = factsAt(context.dataDir, context.world.uid);
    const more = { strange: strangeAt(context), socketless: socketlessAt(context) };
    return Promise.resolve([judgeDirectory({ ...facts, ...more })]);
  },
};
