// The kernel with one dynamic service that runs, and what children go through in it, without a world.
import type { SpawnPolicy } from '../../src/streams/domain/declared/spec.ts';
import type { ServiceSpec } from '../../src/streams/domain/declared/spec.ts';
import type { Effect, EffectOf } from '../../src/streams/domain/effect.ts';
import { requestId, runId, type RunId } from '../../src/streams/domain/ids.ts';
import type { Ancestor, Ancestry, Confinement } from '../../src/streams/domain/service/ancestry.ts';
import type { Child, ChildOrder } from '../../src/streams/domain/service/child.ts';
import type { ProcessRef } from '../../src/streams/domain/service/process.ts';
import { kernel, type Kernel } from './kernel.ts';
import { idOf, specOf } from './spec.ts';

const DYNAMIC: SpawnPolicy = {
  mode: 'dynamic',
  children: 100,
  depth: 3,
  descendants: 500,
  terminationPolicy: 'cascade',
};

export const web = idOf('web');

/** The process of that run, as the kernel of the tests counts them. */
export const processOf = (run: number): ProcessRef => ({ pid: 1_000 + run, startTicks: run });

/** A process of that uid, which nothing confines unless said. */
export const ancestor = (process: ProcessRef, uid = 0, confinement: Confinement = {}): Ancestor => ({
  ...process,
  uids: [uid, uid, uid, uid],
  confinement,
});

/** A process whose ancestry leads to that run's main process. */
export const lineTo = (run: number, uid = 0): readonly Ancestor[] => [
  ancestor({ pid: 7_000, startTicks: 70 }, uid),
  ancestor({ pid: 6_000, startTicks: 60 }),
  ancestor(processOf(run)),
];

/** The kernel has shown these processes to a supervisor of uid 0. */
export const shown = (
  line: readonly Ancestor[],
  byUser: Readonly<Record<string, number>> = {},
): Ancestry => ({ tag: 'known', line, declared: { own: 0, byUser } });

export interface Nursery {
  readonly sup: Kernel;
  readonly children: () => readonly Child[];
  readonly names: () => readonly string[];
  /** Asks from within that run; answers with the error, if it is refused. */
  readonly ask: (
    parent: number,
    order?: Partial<ChildOrder>,
    ancestry?: Ancestry | readonly Ancestor[],
  ) => string | undefined;
  /** Has a child of that run begun, and answers with its run. */
  readonly begin: (parent: number, name: string, order?: Partial<ChildOrder>) => RunId;
  readonly exit: (run: number, code?: number) => void;
  readonly gone: (run: number) => void;
  /** The children that are ending, which a stop signal would go to. */
  readonly ending: () => readonly string[];
  readonly repliesOf: (effects: readonly Effect[]) => readonly EffectOf<'reply'>[];
}

export const nursery = (spawn: Partial<SpawnPolicy> = {}, changes: Partial<ServiceSpec> = {}): Nursery => {
  const sup = kernel();
  sup.start(specOf('web', { spawn: { ...DYNAMIC, ...spawn }, restartPolicy: 'always', ...changes }));
  sup.up('web');
  sup.drain();
  const children = (): readonly Child[] => sup.service('web').children ?? [];
  const ask: Nursery['ask'] = (parent, order = {}, ancestry = lineTo(parent)) => {
    sup.drain();
    const request = sup.ask({ type: 'spawn', order: { argv: ['work'], ...order } });
    sup.post({
      type: 'traced',
      request: requestId(request),
      ancestry: 'tag' in ancestry ? ancestry : shown(ancestry),
    });
    const replies = sup.replies();
    sup.drain();
    const [reply] = replies;
    return reply === undefined || reply.ok ? undefined : reply.error.code;
  };
  const exit = (run: number, code = 0): void =>
    sup.post({ type: 'exited', service: web, run: runId(run), status: { tag: 'code', code } });
  const gone = (run: number): void =>
    sup.post({ type: 'surveyed', service: web, run: runId(run), alive: [], evidence: [] });
  return {
    sup,
    children,
    names: () => children().map(({ name }) => name),
    ask,
    begin: (parent, name, order) => {
      const refusal = ask(parent, { name, ...order });
      const child = children().findLast((one) => one.name === name);
      if (child === undefined) throw new Error(`${name} was refused: ${refusal ?? ''}`);
      sup.post({ type: 'spawned', service: web, run: child.run, process: processOf(child.run) });
      return child.run;
    },
    exit,
    gone,
    ending: () => children().flatMap(({ name, actual }) => (actual.tag === 'stopping' ? [name] : [])),
    repliesOf: (effects) => effects.filter((effect) => effect.type === 'reply'),
  };
};
