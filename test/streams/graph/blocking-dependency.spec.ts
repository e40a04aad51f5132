import { expect, it } from 'vitest';
import { freshService } from '../../../src/streams/domain/service/service.ts';
import { buildGraph } from '../../../src/streams/graph/graph.ts';
import { blockerOf } from '../../../src/streams/graph/blocking-dependency.ts';
import { idOf, needs, specOf } from '../../support/spec.ts';

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
