import { describe, expect, it } from 'vitest';
import {
  LONGEST_EXTENSION,
  merged,
  messageIn,
  type NotifyMessage,
} from '../../../src/streams/output/notify-message.ts';

describe('a message of sd_notify', () => {
  it.each<[string, NotifyMessage]>([
    ['READY=1', { ready: true }],
    ['READY=0', {}],
    ['READY=1\nSTATUS=Serving a=b\n', { ready: true, status: 'Serving a=b' }],
    ['STATUS=', { status: '' }],
    ['RELOADING=1\nMONOTONIC_USEC=7', { reloading: true }],
    ['STOPPING=1', { stopping: true }],
    ['WATCHDOG=1', { watchdog: 'alive' }],
    ['WATCHDOG=trigger', { watchdog: 'trigger' }],
    ['WATCHDOG=0', {}],
    ['EXTEND_TIMEOUT_USEC=1500001', { extend: 1501 as never }],
    ['EXTEND_TIMEOUT_USEC=999999999999999999', { extend: LONGEST_EXTENSION }],
    ['EXTEND_TIMEOUT_USEC=-1', {}],
    ['EXTEND_TIMEOUT_USEC=1e9', {}],
    ['MAINPID=1\nFDSTORE=1\n__proto__=1', {}],
    ['ready=1', {}],
    ['=1\n\n', {}],
    ['', {}],
    [`STATUS=${'x'.repeat(600)}`, { status: 'x'.repeat(500) }],
  ])('%j says %j', (text, said) => {
    expect(messageIn(text)).toEqual(said);
  });

  it('several messages are one, or two if a reload begins and ends in them', () => {
    const reload = [{ reloading: true }, { ready: true }] as const;
    expect(merged([{ status: 'a' }, ...reload, { status: 'b' }, ...reload])).toEqual([
      { reloading: true, status: 'a' },
      { ready: true, status: 'b' },
    ]);
    expect(merged([{ ready: true }, { reloading: true }])).toEqual([{ ready: true, reloading: true }]);
    expect(merged([{ status: 'a' }, { status: 'b' }])).toEqual([{ status: 'b' }]);
    expect(merged([])).toEqual([{}]);
  });
});
