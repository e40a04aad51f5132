// The watches of the children of a service: those of their runs, the time limit `--ttl`, and the memory of
// the service and its children.
// Rules: `docs/behaviour.md`, "Children that a service asks for", "When it ends".
import { childrenIn, type Child } from '../domain/service/child.ts';
import { runsOf } from '../domain/service/runs-of.ts';
import type { Service } from '../domain/service/service.ts';
import type { Settings } from '../domain/declared/settings.ts';
import type { MemoryWatch, Watch } from '../domain/watch.ts';
import { presentRun } from '../service/service-input.ts';
import { watchesOf } from '../service/service-watches.ts';
import { asRun } from './child-as-run.ts';

/**
 * Returns the watch. A watch of a process tree loses its FIFOs, because a child can end before its last
 * output is read.
 */
const withoutLane = (watch: Watch): Watch => {
  if (watch.type !== 'tree') return watch;
  const { fifoPair: _, ...rest } = watch;
  return rest;
};

const lifetime = (service: Service, { run, expires, wanted }: Child): readonly Watch[] => {
  if (expires === undefined || wanted === 'down') return [];
  const { id } = service.spec;
  const key = `ttl:${id}#${run}@${expires}`;
  return [{ type: 'timer', key, service: id, run, timer: 'ttl', due: expires }];
};

const ofChild = (service: Service, child: Child, settings: Settings): readonly Watch[] => [
  ...watchesOf(asRun(service, child), settings).map(withoutLane),
  ...lifetime(service, child),
];

const treesOf = (service: Service): MemoryWatch['trees'] => {
  const own = runsOf(service).map((run) => ({ run: presentRun(run), actual: run.actual }));
  return [...own, ...childrenIn(service)].flatMap(({ run, actual }) =>
    'process' in actual ? [{ run, process: actual.process }] : [],
  );
};

/** Returns the watch of the memory of the service and its children, if there is a limit for it. */
const memory = (service: Service): readonly Watch[] => {
  const { id, spawn } = service.spec;
  if (spawn.mode === 'static' || spawn.totalMemory === undefined) return [];
  const trees = treesOf(service);
  if (trees.length === 0) return [];
  const key = `memory:${id}#${trees.map(({ run }) => run).join()}:${spawn.totalMemory}`;
  const run = presentRun(service);
  return [{ type: 'memory', key, service: id, run, limit: spawn.totalMemory, trees }];
};

/** Returns the watches for the children of a service, and for the memory of the service and its children. */
export const childrenWatches = (service: Service, settings: Settings): readonly Watch[] => [
  ...childrenIn(service).flatMap((child) => ofChild(service, child, settings)),
  ...memory(service),
];
