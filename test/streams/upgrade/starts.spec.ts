import { describe, expect, it } from 'vitest';
import type { Event } from '../../../src/streams/domain/event.ts';
import type { Unbegun } from '../../../src/streams/domain/handed.ts';
import { runId } from '../../../src/streams/domain/ids.ts';
import type { Child } from '../../../src/streams/domain/service/child.ts';
import { rosterOf } from '../../../src/streams/kernel/roster.ts';
import { startsIn, type Starts } from '../../../src/streams/upgrade/starts.ts';
import { idOf, specOf } from '../../support/spec.ts';
import { NOW, PROCESS, RUN, serviceIn } from '../../support/states.ts';

const web: Unbegun = { service: idOf('web'), run: RUN };
const db: Unbegun = { service: idOf('db'), run: RUN };
const child: Unbegun = { service: idOf('cache'), run: runId(4) };

const spawning: Child = {
  ...{ name: 'a', run: child.run, parent: RUN, argv: ['work'], born: NOW, wanted: 'up' },
  actual: { tag: 'spawning', run: child.run },
};
const roster = rosterOf([
  serviceIn('spawning'),
  { ...serviceIn('spawning'), spec: specOf('db') },
  { ...serviceIn('up'), spec: specOf('cache'), children: [spawning] },
  { ...serviceIn('backing-off'), spec: specOf('mail') },
]);
const startsOf = (events: readonly Event[], heldUp: readonly Unbegun[]): Starts =>
  startsIn({ roster }, events, heldUp);
const spawned = (one: Unbegun): Event => ({ ...one, type: 'spawned', process: PROCESS });

describe('a start, when a program is to leave', () => {
  it('is waited for where it may have begun, be it of a child', () => {
    expect(startsOf([], [])).toEqual({ underWay: [web, db, child], unbegun: [] });
  });

  it('is over when it was told of, though nobody has decided upon that yet', () => {
    const error = { code: 'ERR0113', service: db.service, detail: 'no' } as const;
    const events: readonly Event[] = [spawned(web), { ...db, type: 'spawn-failed', error }, spawned(child)];
    expect(startsOf(events, [])).toEqual({ underWay: [], unbegun: [] });
  });

  it("is the next program's where it is held up, and neither when it was told of all the same", () => {
    expect(startsOf([], [db, child])).toEqual({ underWay: [web], unbegun: [db, child] });
    expect(startsOf([spawned(db)], [db, child])).toEqual({ underWay: [web], unbegun: [child] });
  });

  it('is told apart by its run: news of another one answers nothing', () => {
    const older = { ...web, run: runId(2) };
    expect(startsOf([spawned(older)], [older]).underWay).toContainEqual(web);
  });

  it("is nobody's whom the state does not wait for", () => {
    expect(startsOf([], [{ service: idOf('mail'), run: RUN }]).unbegun).toEqual([]);
  });
});
