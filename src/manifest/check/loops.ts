// Finds loops of a directed graph in one walk: one for every edge that leads back onto the walk's own path.
// It does not recurse, because a chain may be as long as a manifest.

type Graph = ReadonlyMap<string, readonly string[]>;

interface Step {
  readonly name: string;
  readonly next: readonly string[];
  taken: number;
}

const walk = (graph: Graph, start: string, done: Set<string>): readonly (readonly string[])[] => {
  const loops: (readonly string[])[] = [];
  const path: Step[] = [{ name: start, next: graph.get(start) ?? [], taken: 0 }];
  const onPath = new Set([start]);
  for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
    const name = step.next[step.taken];
    step.taken += 1;
    if (name === undefined) {
      done.add(step.name);
      onPath.delete(step.name);
      path.pop();
    } else if (onPath.has(name)) {
      const names = path.map((each) => each.name);
      loops.push([...names.slice(names.indexOf(name)), name]);
    } else if (!done.has(name)) {
      onPath.add(name);
      path.push({ name, next: graph.get(name) ?? [], taken: 0 });
    }
  }
  return loops;
};

/** Each loop begins and ends with the same name: `['a', 'b', 'a']`. */
export const loopsOf = (graph: Graph): readonly (readonly string[])[] => {
  const done = new Set<string>();
  return [...graph.keys()].flatMap((start) => (done.has(start) ? [] : walk(graph, start, done)));
};
