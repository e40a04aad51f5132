import { describe, expect, it } from 'vitest';
import { exitLedger } from '../../../src/sinks/process/exit-ledger.ts';

const first = { pid: 7, startTicks: 1 };
const second = { pid: 7, startTicks: 2 };

describe('the ledger of exits', () => {
  it('an exit is kept until it is forgotten', async () => {
    const ledger = exitLedger();
    ledger.record(first, Promise.resolve({ tag: 'code', code: 0 }));
    expect(await ledger.exitOf(first)).toEqual({ tag: 'code', code: 0 });
    ledger.forget(first);
    expect(ledger.exitOf(first)).toBeUndefined();
  });

  it('the exit of an unknown process is unknown', () => {
    expect(exitLedger().exitOf(first)).toBeUndefined();
  });

  it('exits that were seen and never requested are listed at the end', async () => {
    const ledger = exitLedger();
    const status = { tag: 'code', code: 5 } as const;
    const other = { pid: 8, startTicks: 1 };
    ledger.record(first, Promise.resolve(status));
    ledger.record(other, new Promise(() => undefined));
    await ledger.exitOf(first);
    expect(ledger.unread()).toEqual([{ process: first, status }]);
    ledger.forget(first);
    expect(ledger.unread()).toEqual([]);
  });

  it('two processes with the same pid are told apart', async () => {
    const ledger = exitLedger();
    ledger.record(first, Promise.resolve({ tag: 'code', code: 0 }));
    ledger.record(second, Promise.resolve({ tag: 'signal', signal: 'SIGKILL' }));
    expect(ledger.exitOf(first)).toBeUndefined();
    ledger.forget(first);
    expect(await ledger.exitOf(second)).toEqual({ tag: 'signal', signal: 'SIGKILL' });
  });
});
