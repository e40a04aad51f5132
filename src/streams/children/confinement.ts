// How the process that asks for a child is confined, compared with the main process of its run. A child gets the confinement
// of the service, so a process that has confined itself further must not have one: it would escape through its child.
//
// Processes between the two need not be compared. A child inherits `no_new_privs`, filters, the bounding set and
// namespaces, so whatever one of them has given up shows in the process that asks. Landlock does not show in `/proc`; only
// the `no_new_privs` that an unprivileged process must set first does.
import type { Confinement, ConfinementDifference } from '../domain/service/ancestry.ts';

/** A namespace that the leader itself is not in, but everything that it forks. */
const OF_CHILDREN = '_for_children';

const isSame = (what: string, asks: Confinement, leader: Confinement): boolean => {
  const here = asks[what];
  return here === leader[what] || (here !== '' && here === leader[`${what}${OF_CHILDREN}`]);
};

/** In which facts they differ; `undefined` if one of the two cannot be read. */
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
