// `uid_map` and `gid_map` in `/proc/<pid>`: a range a line, the last number says how many (user_namespaces(7)).

/** Of all ranges. */
export const idsMapped = (map: string): number =>
  map
    .split('\n')
    .map((line) => Number(line.trim().split(/\s+/)[2] ?? 0))
    .reduce((all, count) => all + count, 0);
