// Compares the confinement of the process that requests a child with that of its run's main process. A child
// gets the confinement of the service. A process that has confined itself further must not have one: it would
// escape through its child.
//
// Processes between the two need not be compared. A child inherits `no_new_privs`, filters, the bounding set
// and namespaces, so any restriction in between is visible in the requester. Landlock is not visible in
// `/proc`, but an unprivileged process must first set `no_new_privs`, which is.
import type { Confinement, ConfinementDifference } from '../domain/service/ancestry.ts';

/** A namespace of everything that the leader forks, but not of the leader itself. */
const OF_CHILDREN = '_for_children';

const isSame = (what: string, asks: Confinement, leader: Confinement): boolean => {
  const here = asks[what];
  return here === leader[what] || (here !== '' && here === leader[`${what}${OF_CHILDREN}`]);
};

/** Returns the facts in which they differ, or `undefined` if one of the two cannot be read. */
export const confinementDifferences = (
  asks: Confinement | undefined,
  leader: Confinement | undefined,
): readonly ConfinementDifference[] | undefined => {
  if (asks === undefined || leader === undefined) return undefined;
  const names = [...new Set([...Object.keys(asks), ...Object.keys(leader)])];
  return names
    .filter((what) => !isSame(what, asks, leader))
    .map((what) => ({ what, asks: asks[what] ?? '', leader: leader[what] ?? '' }));
};
