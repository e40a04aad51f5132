import { describe, expect, it } from 'vitest';
import type { Command } from '../../../../src/streams/domain/command.ts';
import { requestId } from '../../../../src/streams/domain/ids.ts';
import { instant } from '../../../../src/streams/domain/time.ts';
import { step } from '../../../../src/streams/kernel/step.ts';
import { stepEvents } from '../../../../src/streams/views/events/event-documents.ts';
import { historyDocument } from '../../../../src/streams/views/history-document.ts';
import { kernel, type Kernel } from '../../../support/kernel.ts';
import { specOf } from '../../../support/spec.ts';

const web = { services: ['web'] };
const running = (): Kernel => {
  const sup = kernel();
  sup.start(specOf('web'));
  sup.up('web');
  return sup;
};

const request = requestId('c:1');
const asked = (command: Command, origin?: string): readonly string[] => {
  const named = origin === undefined ? {} : { origin };
  const event = { type: 'requested', request, command, ...named } as const;
  const events = stepEvents(step(running().state(), { at: instant(0), event }));
  return events.map(({ kind, cause, reason, origin: by }) => [kind, cause, reason, by].join('|'));
};

describe('the origin of a command', () => {
  it('a stop by a program is an event, and the changes that it causes at once are events too', () => {
    expect(asked({ type: 'stop', selection: web }, 'mcp (claude)')).toEqual([
      'command|requested|stop web|mcp (claude)',
      'state|release|stop requested by mcp (claude)|mcp (claude)',
    ]);
  });

  it('a command line has no origin and no event of its own', () => {
    expect(asked({ type: 'stop', selection: web })).toEqual(['state|release|stop requested|']);
    expect(asked({ type: 'called', call: 'status', times: 1 })).toEqual([]);
  });

  it('a refused command is an event with its error', () => {
    const [arrived, failed] = asked({ type: 'stop', selection: { services: ['x'] } }, 'dashboard');
    expect(arrived).toBe('command|requested|stop x|dashboard');
    expect(failed).toMatch(/^command\|failed\|stop x: .*\|dashboard$/);
  });

  it('several calls that change nothing are one event', () => {
    expect(asked({ type: 'called', call: 'status', times: 12 }, 'dashboard')).toEqual([
      'command|called|status, 12 times|dashboard',
    ]);
  });

  it('the history names the program until another program sends a command', () => {
    const sup = running();
    sup.post({ type: 'requested', request, command: { type: 'stop', selection: web }, origin: 'dashboard' });
    const reasons = (): unknown[] => historyDocument(sup.service('web')).map(({ reason }) => reason);
    expect(reasons().at(-1)).toBe('stop requested by the dashboard');
    sup.start(specOf('web'));
    expect(sup.service('web').askedBy).toBeUndefined();
  });
});
