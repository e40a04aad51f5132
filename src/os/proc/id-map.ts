// `uid_map` and `gid_map` in `/proc/<pid>`: one range a line, with its length as the last number
// (user_namespaces(7)).

/** The number of ids in all ranges. */
export const idsMapped = (map: string): number =>
  map
    .split('\n')
    .map((line) => Number(line.trim().split(/\s+/)[2] ?? 0))
    .reduce((all, count) => all + count, 0);
