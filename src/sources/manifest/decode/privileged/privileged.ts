// Keys that need a privileged supervisor: without one they are decoded and have no effect (ERR0705); under version 3 a
// cgroup or isolation key that cannot be enforced is refused (ERR0721; `docs/manifest.md`, "Privileged mode").
import { childOf, type Entry, type Node } from '../../read/node.ts';
import { below } from '../../check/dotted-path.ts';
import { type Context, type Spot } from '../shapes/decoder.ts';

const PRIVILEGED = ['user', 'group', 'supplementary_groups', 'capabilities', 'limits', 'isolation'];

const entriesOf = (node: Node | undefined): readonly Entry[] => (node?.tag === 'map' ? node.entries : []);

/** `network: false` asks for nothing. */
const asks = ({ value }: Entry): boolean => !(value.tag === 'scalar' && value.value === false);

interface Key {
  readonly path: string;
  readonly entry: Entry;
}

const keysUnder = (spot: Spot, key: string): readonly Key[] =>
  entriesOf(childOf(spot.node, key)?.value)
    .filter(asks)
    .map((entry) => ({ path: below(below(spot.path, key), entry.key), entry }));

const warn = (spot: Spot, context: Context): void => {
  for (const entry of entriesOf(spot.node).filter(({ key }) => PRIVILEGED.includes(key)))
    context.report.add(
      { path: below(spot.path, entry.key), place: entry.keyAt },
      {
        code: 'ERR0705',
        severity: 'warning',
        message: 'has no effect without a privileged supervisor (--sys)',
      },
    );
};

/** What version 3 calls for and nobody here can enforce. */
const unenforceable = (spot: Spot): readonly Key[] => [
  ...keysUnder(spot, 'limits').filter(({ entry }) => entry.key === 'cgroup'),
  ...keysUnder(spot, 'isolation'),
];

export const warnUnprivileged = (spot: Spot, context: Context): void => {
  const { reader, schema, report } = context;
  if (reader.sys) return;
  warn(spot, context);
  if (schema === 2) return;
  const message = 'cannot be enforced without a privileged supervisor (--sys)';
  for (const { path, entry } of unenforceable(spot))
    report.add({ path, place: entry.keyAt }, { code: 'ERR0721', message });
};
