// Recorded children, without a supervisor: only those that are verifiably alive count as running.
import { statOfProcess } from '../../os/proc/proc-stat.ts';
import type { Child } from '../../streams/domain/service/child.ts';
import type { Service } from '../../streams/domain/service/service.ts';
import type { ChildDocument, SpawnDocument } from '../../streams/wire/documents/child-documents.ts';

const isAlive = ({ actual }: Child): boolean => {
  const stat = 'process' in actual ? statOfProcess(actual.process) : undefined;
  return stat !== undefined && !stat.zombie;
};

const shown = (child: ChildDocument, alive: ReadonlySet<number>): ChildDocument => ({
  ...child,
  ...(alive.has(child.run) ? {} : { state: 'lost', pid: null }),
  children: child.children.map((one) => shown(one, alive)),
});

export const livingChildren = (spawn: SpawnDocument, { children = [] }: Service): SpawnDocument => {
  const alive = new Set<number>(children.filter(isAlive).map(({ run }) => run));
  return { ...spawn, children: spawn.children.map((child) => shown(child, alive)) };
};
