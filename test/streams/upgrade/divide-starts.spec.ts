import { describe, expect, it } from 'vitest';
import type { Event } from '../../../src/streams/domain/event.ts';
import type { Unbegun } from '../../../src/streams/domain/handed-commands.ts';
import { runId } from '../../../src/streams/domain/ids.ts';
import type { Child } from '../../../src/streams/domain/service/child.ts';
import { serviceTableOf } from '../../../src/streams/kernel/service-table.ts';
import { startsIn, type Starts } from '../../../src/streams/upgrade/divide-starts.ts';
import { idOf, specOf } from '../../support/spec.ts';
import { NOW, PROCESS, RUN, serviceIn } from '../../support/states.ts';

const web: Unbegun = { service: idOf('web'), run: RUN };
const db: Unbegun = { service: idOf('db'), run: RUN };
const child: Unbegun = { service: idOf('cache'), run: runId(4) };

const spawning: Child = {
  ...{ name: 'a', run: child.run, parent: RUN, argv: ['work'], born: NOW, wanted: 'up' },
  actual: { tag: 'spawning', run: child.run },
};
const serviceTable = serviceTableOf([
  serviceIn('spawning'),
  { ...serviceIn('spawning'), spec: specOf('db') },
  { ...serviceIn('up'), spec: specOf('cache'), children: [spawning] },
  { ...serviceIn('backing-off'), spec: specOf('mail') },
]);
const startsOf = (events: readonly Event[], heldUp: readonly Unbegun[]): Starts =>
  startsIn({ serviceTable }, events, heldUp);
const spawned = (one: Unbegun): Event => ({ ...one, type: 'spawned', process: PROCESS });

describe('a spawn during an upgrade', () => {
  it('an upgrade waits for a spawn that may have begun, also of a child', () => {
    expect(startsOf([], [])).toEqual({ underWay: [web, db, child], unbegun: [] });
  });

  it('an upgrade does not wait for a spawn whose result was reported and is not processed yet', () => {
    const error = { code: 'ERR0113', service: db.service, detail: 'no' } as const;
    const events: readonly Event[] = [spawned(web), { ...db, type: 'spawn-failed', error }, spawned(child)];
    expect(startsOf(events, [])).toEqual({ underWay: [], unbegun: [] });
  });

  it('the next program performs a delayed spawn, unless the result of the spawn was reported', () => {
    expect(startsOf([], [db, child])).toEqual({ underWay: [web], unbegun: [db, child] });
    expect(startsOf([spawned(db)], [db, child])).toEqual({ underWay: [web], unbegun: [child] });
  });

  it('a spawn is identified by its run: an event of another run is not its result', () => {
    const older = { ...web, run: runId(2) };
    expect(startsOf([spawned(older)], [older]).underWay).toContainEqual(web);
  });

  it('a delayed spawn that is not in the state is ignored', () => {
    expect(startsOf([], [{ service: idOf('mail'), run: RUN }]).unbegun).toEqual([]);
  });
});
