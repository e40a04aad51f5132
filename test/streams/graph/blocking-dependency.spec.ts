import { expect, it } from 'vitest';
import type { Dependency } from '../../../src/streams/domain/declared/spec.ts';
import { freshService, type Service, type Tag } from '../../../src/streams/domain/service/service.ts';
import { buildGraph } from '../../../src/streams/graph/graph.ts';
import { blockerOf, type BlockerFacts } from '../../../src/streams/graph/blocking-dependency.ts';
import { isMet } from '../../../src/streams/kernel/rules/dependencies-ready.ts';
import { idOf, needs, specOf } from '../../support/spec.ts';
import { STATES } from '../../support/states.ts';

const LAYERS = 20;
const WIDTH = [0, 1, 2];
const namesOf = (layer: number): readonly string[] => WIDTH.map((at) => `s${layer}-${at}`);

it('services that wait for each other are visited once each, however many paths lead there', () => {
  const layers = Array.from({ length: LAYERS }, (_, layer) => layer);
  const specs = layers.flatMap((layer) =>
    namesOf(layer).map((name) =>
      specOf(name, layer === 0 ? {} : { dependsOn: needs(...namesOf(layer - 1)) }),
    ),
  );
  const services = new Map(
    specs.map((spec) => [
      spec.id,
      {
        ...freshService(spec),
        wanted: 'up',
        actual:
          spec.dependsOn.length === 0
            ? { tag: 'preparing', run: 1, step: 'skip' }
            : { tag: 'waiting', for: 'dependencies' },
      } as ReturnType<typeof freshService>,
    ]),
  );
  let looks = 0;
  const top = services.get(idOf(`s${LAYERS - 1}-0`));
  const find = (id: ReturnType<typeof idOf>): ReturnType<typeof freshService> | undefined => {
    looks += 1;
    return services.get(id);
  };
  expect(top && blockerOf(top, { graph: buildGraph(specs), find })).toBeUndefined();
  expect(looks).toBeLessThanOrEqual(specs.length * WIDTH.length);
});

/** The service `web` depends on `cache`, which requires `db`. */
const chainWith = (
  cache: Tag,
  db: Tag,
  required?: false,
): { readonly web: Service; readonly around: BlockerFacts } => {
  const need = {
    service: idOf('cache'),
    condition: 'started',
    ...(required === false && { required }),
  } as const;
  const inState = (tag: Tag, name: string, dependsOn: readonly Dependency[]): Service => ({
    ...freshService(specOf(name, { dependsOn })),
    wanted: 'up',
    actual: STATES[tag],
  });
  const web = inState('waiting', 'web', [need]);
  const services = [web, inState(cache, 'cache', needs('db')), inState(db, 'db', [])];
  const graph = buildGraph(services.map(({ spec }) => spec));
  return { web, around: { graph, find: (id) => services.find(({ spec }) => spec.id === id) } };
};

it.each([
  ['casualty', 'up', 'cache'],
  ['broken', 'up', 'cache'],
  ['waiting', 'casualty', 'cache'],
  ['waiting', 'starting', undefined],
  ['starting', 'broken', undefined],
] as const)(
  'a service waits for a dependency that is %s, whose own is %s, in vain: %s',
  (cache, db, blocker) => {
    const { web, around } = chainWith(cache, db);
    expect(blockerOf(web, around)).toBe(blocker && idOf(blocker));
  },
);

it.each(['broken', 'casualty', 'down'] as const)(
  'a service never waits in vain for an optional dependency, %s',
  (tag) => {
    const { web, around } = chainWith(tag, 'up', false);
    expect(blockerOf(web, around)).toBeUndefined();
  },
);

it.each([
  ['up', 'up', true],
  ['broken', 'up', true],
  ['waiting', 'starting', false],
  ['waiting', 'broken', true],
  ['starting', 'broken', false],
] as const)(
  'an optional dependency that is %s, whose own is %s, lets its dependent start: %s',
  (cache, db, met) => {
    const { web, around } = chainWith(cache, db, false);
    expect(web.spec.dependsOn.every((need) => isMet(need, around))).toBe(met);
  },
);

it.each([
  ['a required', false, {}],
  ['an optional', true, { required: false }],
] as const)('%s dependency that does not exist lets its dependent start: %s', (_, met, form) => {
  const { around } = chainWith('up', 'up');
  expect(isMet({ service: idOf('gone'), condition: 'started', ...form }, around)).toBe(met);
});
