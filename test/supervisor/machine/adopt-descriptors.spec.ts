import { describe, expect, it } from 'vitest';
import { adoptOutputs } from '../../../src/supervisor/machine/adopt-descriptors.ts';
import { nameOf, type ServiceId } from '../../../src/streams/domain/ids.ts';
import type { Service } from '../../../src/streams/domain/service/service.ts';
import { serviceTableOf } from '../../../src/streams/kernel/service-table.ts';
import { idOf, specOf } from '../../support/spec.ts';
import { PROCESS, serviceIn } from '../../support/states.ts';
import type { Tag } from '../../../src/streams/domain/service/service-state.ts';

const named = (name: string, tag: Tag): Service => ({ ...serviceIn(tag), spec: specOf(name) });
const serviceTable = serviceTableOf([
  named('up', 'up'),
  named('read', 'backing-off'),
  named('slot', 'down'),
  named('silent', 'down'),
]);

interface Before {
  readonly wasKept: boolean;
  readonly read?: readonly ServiceId[];
}

/** The adopted runs with their number of live processes, and that the rest follows after that. */
const adopted = ({ wasKept, read }: Before): readonly string[] => {
  const done: string[] = [];
  adoptOutputs(
    {
      inHand: () => new Set([idOf('slot')]),
      inherit: () => undefined,
      wasKept: () => wasKept,
      adopt: ({ id }, living = []) =>
        done.push([nameOf(id), ...living.map(({ process }) => process.pid)].join(' ')),
      finishAdoption: () => done.push('settled'),
    },
    { serviceTable },
    { logError: () => undefined, ...(read && { read }) },
  );
  return done;
};

describe('adoption of output', () => {
  const living = `up ${PROCESS.pid}`;

  it('output of live runs and unfinished runs is adopted if no FIFO holder was left', () => {
    expect(adopted({ wasKept: false })).toEqual([living, 'slot', 'settled']);
  });

  it('output of each run is adopted if a FIFO holder was left, which may have the last lines of a dead run', () => {
    expect(adopted({ wasKept: true })).toEqual([living, 'read', 'slot', 'silent', 'settled']);
  });

  it('output of only those runs is adopted whose output the previous program was reading', () => {
    expect(adopted({ wasKept: true, read: [idOf('read'), idOf('gone')] })).toEqual([
      living,
      'read',
      'slot',
      'settled',
    ]);
    expect(adopted({ wasKept: true, read: [] })).toEqual([living, 'slot', 'settled']);
  });
});

it('a service whose output cannot be adopted is a warning, and the others continue', () => {
  const done: string[] = [];
  adoptOutputs(
    {
      inHand: () => new Set([idOf('slot')]),
      inherit: () => undefined,
      wasKept: () => false,
      adopt: ({ id }) => {
        if (id === idOf('up')) throw new RangeError('Invalid time value');
        done.push(nameOf(id));
      },
      finishAdoption: () => done.push('settled'),
    },
    { serviceTable },
    { logError: (text) => done.push(text) },
  );
  expect(done).toEqual([
    'the output of shop/up is not read until it is restarted: it could not be taken over (Invalid time value)',
    'slot',
    'settled',
  ]);
});
