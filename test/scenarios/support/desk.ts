// Services that do what the scenario tells them while they run (test/fixtures/scenarios/desk.sh), and what became of that.
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { ChildDocument, SpawnDocument } from '../../../src/streams/wire/documents/child-documents.ts';
import { eventually } from './eventually.ts';
import { fixture, script, type Declared } from './recipes.ts';
import type { Stage } from './stage.ts';

/** A service that waits at its desk. */
export const desk = (name: string, spawn: Declared = {}, more: Declared = {}): Declared =>
  script('desk.sh', [name], { spawn: { mode: 'dynamic', ...spawn }, ...more });

/** What a child is started with to wait at a desk of its own. */
export const deskOf = (name: string): readonly string[] => ['sh', fixture('desk.sh'), name];

export interface Told {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

const tasks = new WeakMap<Stage, Map<string, number>>();

const nextTask = (stage: Stage, name: string): string => {
  const counts = tasks.get(stage) ?? new Map<string, number>();
  tasks.set(stage, counts);
  const number = (counts.get(name) ?? 0) + 1;
  counts.set(name, number);
  return `${name}.${number}`;
};

/** Runs a line of shell inside the process that waits at that desk. */
export const within = async (stage: Stage, name: string, line: string): Promise<Told> => {
  const task = nextTask(stage, name);
  const path = (end: string): string => join(stage.work, `${task}.${end}`);
  // It must not be read before it is whole.
  renameSync(stage.write(`${task}.new`, `${line}\n`), path('do'));
  const text = (end: string): string => readFileSync(path(end), 'utf8');
  await eventually({
    what: `an answer to ${line}`,
    look: () => (existsSync(path('status')) ? true : undefined),
  });
  return { status: Number(text('status')), out: text('out'), err: text('err') };
};

/** `sup spawn …` inside the process that waits at that desk. */
export const spawnWithin = (stage: Stage, name: string, ...args: readonly string[]): Promise<Told> =>
  within(stage, name, stage.line('spawn', ...args.map((arg) => `'${arg}'`)));

export const childrenOf = async (stage: Stage, service: string): Promise<SpawnDocument> => {
  const { services } = await stage.inspect(service);
  const [one] = services;
  if (one === undefined) throw new Error(`no ${service}`);
  return one.spawn;
};

/** Names and depths of the living, as a tree: `a`, `a/b`. */
export const treeOf = ({ children }: Pick<SpawnDocument, 'children'>): readonly string[] =>
  children.flatMap(({ name, children: below }) => [
    name,
    ...treeOf({ children: below }).map((one) => `${name}/${one}`),
  ]);

/** A child runs when it has lived for a moment, as a service does. */
const isSettled = ({ state, children }: ChildDocument): boolean =>
  state !== 'starting' && children.every(isSettled);

/** Settles when the living children are these, and each of them runs. */
export const childrenCome = (
  stage: Stage,
  service: string,
  tree: readonly string[],
): Promise<SpawnDocument> =>
  eventually({
    what: `the children ${tree.join(', ')}`,
    look: async () => {
      const found = await childrenOf(stage, service);
      const isThere = treeOf(found).toSorted().join() === tree.toSorted().join();
      return isThere && found.children.every(isSettled) ? found : undefined;
    },
  });
