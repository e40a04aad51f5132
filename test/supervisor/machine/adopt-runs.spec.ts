import { describe, expect, it } from 'vitest';
import { adoptOutputs } from '../../../src/supervisor/machine/adopt-runs.ts';
import { nameOf, type ServiceId } from '../../../src/streams/domain/ids.ts';
import type { Service } from '../../../src/streams/domain/service/service.ts';
import { rosterOf } from '../../../src/streams/kernel/roster.ts';
import { idOf, specOf } from '../../support/spec.ts';
import { PROCESS, serviceIn } from '../../support/states.ts';
import type { Tag } from '../../../src/streams/domain/service/service-state.ts';

const named = (name: string, tag: Tag): Service => ({ ...serviceIn(tag), spec: specOf(name) });
const roster = rosterOf([
  named('up', 'up'),
  named('read', 'backing-off'),
  named('slot', 'down'),
  named('silent', 'down'),
]);

interface Before {
  readonly wasKept: boolean;
  readonly read?: readonly ServiceId[];
}

/** Who is adopted, with how many that live; and that the rest is settled after that. */
const adopted = ({ wasKept, read }: Before): readonly string[] => {
  const done: string[] = [];
  adoptOutputs(
    {
      inHand: () => new Set([idOf('slot')]),
      wasKept: () => wasKept,
      adopt: ({ id }, living = []) =>
        done.push([nameOf(id), ...living.map(({ process }) => process.pid)].join(' ')),
      settle: () => done.push('settled'),
    },
    { roster },
    { onTrouble: () => undefined, ...(read && { read }) },
  );
  return done;
};

describe('output is adopted', () => {
  const living = `up ${PROCESS.pid}`;

  it('of those who live and of whom something was in hand, where nothing was left to a keeper', () => {
    expect(adopted({ wasKept: false })).toEqual([living, 'slot', 'settled']);
  });

  it('of everybody where a keeper was left: it may hold what a dead one has printed last', () => {
    expect(adopted({ wasKept: true })).toEqual([living, 'read', 'slot', 'silent', 'settled']);
  });

  it('of those alone whose output was read, where the program before has told of it', () => {
    expect(adopted({ wasKept: true, read: [idOf('read'), idOf('gone')] })).toEqual([
      living,
      'read',
      'slot',
      'settled',
    ]);
    expect(adopted({ wasKept: true, read: [] })).toEqual([living, 'slot', 'settled']);
  });
});

it('a service whose output cannot be taken over is a warning, and the others go on', () => {
  const done: string[] = [];
  adoptOutputs(
    {
      inHand: () => new Set([idOf('slot')]),
      wasKept: () => false,
      adopt: ({ id }) => {
        if (id === idOf('up')) throw new RangeError('Invalid time value');
        done.push(nameOf(id));
      },
      settle: () => done.push('settled'),
    },
    { roster },
    { onTrouble: (text) => done.push(text) },
  );
  expect(done).toEqual([
    'the output of shop/up is not read until it is restarted: it could not be taken over (Invalid time value)',
    'slot',
    'settled',
  ]);
});
