// What a supervisor with many services does when it begins must grow with their number, not with its square.
// Accesses are counted: times would depend on the machine.
import { describe, expect, it } from 'vitest';
import { Adoption } from '../../src/sinks/logs/fifo/adopted-output.ts';
import { knownServices } from '../../src/sources/process/services-to-search.ts';
import type { Event, Found } from '../../src/streams/domain/event.ts';
import { runId } from '../../src/streams/domain/ids.ts';
import type { Service } from '../../src/streams/domain/service/service.ts';
import { DEFAULT_SETTINGS } from '../../src/streams/domain/declared/settings.ts';
import { instant } from '../../src/streams/domain/time.ts';
import { onlyToStop } from '../../src/streams/kernel/boot/stop-only.ts';
import { INITIAL_STATE } from '../../src/streams/kernel/state.ts';
import { step } from '../../src/streams/kernel/step.ts';
import { layoutOf } from '../../src/streams/wire/layout.ts';
import { idOf, specOf } from '../support/spec.ts';
import { serviceIn } from '../support/states.ts';

const AT = instant(1_000_000);

interface Counted {
  readonly services: readonly Service[];
  readonly found: readonly Found[];
  /** How often the id of a service or the service of a found run was read. */
  readonly reads: () => number;
}

/** Services that are up, with the runs that were found. Both count how often it is read what they are. */
const counted = (count: number): Counted => {
  let reads = 0;
  const numbers = Array.from({ length: count }, (_, at) => at);
  const services = numbers.map((at): Service => {
    const { id, ...spec } = specOf(`s${at}`);
    const own = {
      ...spec,
      get id() {
        reads += 1;
        return id;
      },
    };
    return { ...serviceIn('up'), spec: own };
  });
  const found = numbers.map((at): Found => ({
    get service() {
      reads += 1;
      return idOf(`s${at}`);
    },
    run: runId(1),
    process: { pid: 10_000 + at, startTicks: 1 },
  }));
  return { services, found, reads: () => reads };
};

const bootedWith = ({ services, found }: Counted): Extract<Event, { type: 'booted' }> => ({
  ...{ type: 'booted', settings: DEFAULT_SETTINGS, registered: [], restored: services, found },
  ...{ sameBoot: true, warnings: [] },
});

/** How many times more is read for ten times as many services. */
const growth = async (act: (world: Counted) => unknown): Promise<number> => {
  const [few, many] = [counted(30), counted(300)];
  await act(few);
  await act(many);
  expect(few.reads()).toBeGreaterThan(0);
  return many.reads() / few.reads();
};

/** With an allowance for sorting. */
const LINEAR = 13;

describe('the work of a supervisor that begins', () => {
  it('the first step reads ten times as much of ten times as many services', async () => {
    expect(
      await growth((world) => step(INITIAL_STATE, { at: AT, event: bootedWith(world) })),
    ).toBeLessThanOrEqual(LINEAR);
  });

  it('an offline stop reads ten times as much of ten times as many services', async () => {
    const all = (world: Counted): unknown =>
      onlyToStop(bootedWith(world), new Set(world.services.map(({ spec }) => spec.id)), AT);
    expect(await growth(all)).toBeLessThanOrEqual(LINEAR);
  });

  it('the services whose runs are searched are listed with ten times as many reads for ten times as many', async () => {
    expect(await growth(({ services }) => knownServices(services))).toBeLessThanOrEqual(LINEAR);
  });

  it('the run directory of a project is read once for all its services', () => {
    let reads = 0;
    const layout = layoutOf('/nonexistent');
    const counting: typeof layout = {
      ...layout,
      runDir: (project) => {
        reads += 1;
        return layout.runDir(project);
      },
    };
    const adoption = new Adoption({
      layout: counting,
      logError: () => undefined,
      checkRoom: () => undefined,
      logOf: () => {
        throw new Error('no output was left');
      },
    });
    const specs = Array.from({ length: 50 }, (_, at) => specOf(`s${at}`, { logs: { sink: 'none' } }));
    for (const spec of specs) adoption.adopt(spec, []);
    adoption.finish();
    expect(reads).toBe(1);
  });
});
