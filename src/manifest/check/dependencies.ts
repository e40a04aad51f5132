// Checks `depends_on` in one project: unknown names (ERR0214), cycles (ERR0215), conditions that are never
// met (ERR0222).
// Rules: `docs/behaviour.md`, "Starting", "Order"; `docs/behaviour.md`, "Schedules", "Dependents".
import { printable, quoted } from './problem-report.ts';
import type { DependencyDeclaration } from '../decode/service-keys.ts';
import type { Located } from '../decode/shapes/composite.ts';
import { reportAt, type DecodeContext, spotBelow } from '../decode/shapes/decoder.ts';
import type { Bundle } from '../resolve/group-by-project.ts';
import { didYouMean } from '../../streams/views/nearest.ts';

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

/** Returns the cycles of a graph, each from a name back to itself: `['a', 'b', 'a']`. */
export const loopsOf = (graph: Graph): readonly (readonly string[])[] => {
  const done = new Set<string>();
  return [...graph.keys()].flatMap((start) => (done.has(start) ? [] : walk(graph, start, done)));
};

type Edge = Located<DependencyDeclaration>;
type Declared = NonNullable<ReturnType<Bundle['services']['get']>>['value'];

/**
 * Returns the reason why the service never completes: it has a schedule, or it restarts after each exit.
 * Returns `undefined` if it can complete.
 */
const whyEndless = ({ cron, restartPolicy: policy }: Declared): string | undefined => {
  if (cron !== undefined) return 'has cron';
  return policy === 'always' ? 'has restart_policy always' : undefined;
};

/** Refuses a dependency that waits for the completion of a service that never completes. */
const refuseEndless = (edge: Edge, { services }: Bundle, context: DecodeContext): void => {
  const { service, condition } = edge.value;
  const needed = services.get(service);
  const why = condition === 'completed' && needed !== undefined ? whyEndless(needed.value) : undefined;
  if (why === undefined) return;
  const message = `${quoted(service)} never completes: it ${why}`;
  reportAt(spotBelow(edge.spot, 'condition'), context, { code: 'ERR0222', message });
};

/** Returns the names that each service depends on, without duplicates. */
const graphOf = (edges: ReadonlyMap<string, readonly Edge[]>): ReadonlyMap<string, readonly string[]> =>
  new Map([...edges].map(([name, all]) => [name, [...new Set(all.map(({ value }) => value.service))]]));

const hintFor = (service: string, known: readonly string[]): string | undefined => {
  const [, group = ''] = /^(.+)@\d+$/.exec(service) ?? [];
  return known.includes(group)
    ? `name ${quoted(group)}: a dependency is on all its instances`
    : didYouMean(service, known);
};

/**
 * Reports wrong dependencies in `bundle`. `names`: all names of its services, even of those that could not be
 * decoded.
 */
export const checkDependencies = (
  bundle: Bundle,
  names: ReadonlySet<string>,
  context: DecodeContext,
): void => {
  const known = [...names];
  const edges = new Map<string, readonly Edge[]>();
  for (const [name, { value }] of bundle.services) {
    const all = value.dependsOn ?? [];
    all.forEach((edge) => refuseEndless(edge, bundle, context));
    for (const edge of all.filter(({ value: { service } }) => !names.has(service)))
      reportAt(edge.spot, context, {
        code: 'ERR0214',
        message: `${quoted(edge.value.service)} is not a service of the same project`,
        hint: () =>
          hintFor(
            edge.value.service,
            known.filter((other) => other !== name),
          ),
      });
    edges.set(name, all);
  }
  for (const loop of loopsOf(graphOf(edges))) {
    const closing = edges.get(loop.at(-2) ?? '')?.find(({ value }) => value.service === loop.at(-1));
    if (closing === undefined) continue;
    const message = `dependency cycle: ${printable(loop.join(' → '))}`;
    reportAt(closing.spot, context, { code: 'ERR0215', message });
  }
};
