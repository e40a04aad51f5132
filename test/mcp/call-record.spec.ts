import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallRecord } from '../../src/mcp/call-record.ts';

const MINUTE_MS = 60_000;

interface Recorded {
  readonly record: CallRecord;
  /** What the supervisor got, such as `status 1`. */
  readonly sent: string[];
  /** From now on the supervisor refuses, until it is called with false. */
  readonly refuse: (isRefusing: boolean) => void;
}

const recorded = (): Recorded => {
  const sent: string[] = [];
  let refuses = false;
  const record = new CallRecord((call, times) => {
    if (refuses) return Promise.reject(new Error('no supervisor'));
    sent.push(`${call} ${times}`);
    return Promise.resolve();
  });
  return { record, sent, refuse: (isRefusing) => (refuses = isRefusing) };
};

const noteTimes = async (record: CallRecord, call: string, times: number): Promise<void> => {
  for (let done = 0; done < times; done += 1) await record.note(call);
};

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('the record of calls that only read', () => {
  it('the first call of each tool is recorded at once', async () => {
    const { record, sent } = recorded();
    await record.note('status');
    await record.note('why');
    expect(sent).toEqual(['status 1', 'why 1']);
  });

  it('further calls of a tool are recorded after a minute with their number', async () => {
    const { record, sent } = recorded();
    await noteTimes(record, 'status', 4);
    await vi.advanceTimersByTimeAsync(MINUTE_MS - 1);
    expect(sent).toEqual(['status 1']);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toEqual(['status 1', 'status 3']);
  });

  it('a tool that is called without a pause is recorded once a minute', async () => {
    const { record, sent } = recorded();
    await noteTimes(record, 'status', 2);
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    await noteTimes(record, 'status', 5);
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect(sent).toEqual(['status 1', 'status 1', 'status 5']);
  });

  it('after a minute without a call, the next one is recorded at once', async () => {
    const { record, sent } = recorded();
    await record.note('status');
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    await record.note('status');
    expect(sent).toEqual(['status 1', 'status 1']);
  });

  it('a call that cannot be recorded rejects, and so does the next one', async () => {
    const { record, sent, refuse } = recorded();
    refuse(true);
    await expect(record.note('status')).rejects.toThrow('no supervisor');
    await expect(record.note('status')).rejects.toThrow('no supervisor');
    refuse(false);
    await record.note('status');
    expect(sent).toEqual(['status 1']);
  });

  it('calls that were counted while the supervisor was away are recorded when it is back', async () => {
    const { record, sent, refuse } = recorded();
    await noteTimes(record, 'status', 3);
    refuse(true);
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    refuse(false);
    await record.note('status');
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect(sent).toEqual(['status 1', 'status 3']);
  });

  it('the end records what was only counted, and stops the timers', async () => {
    const { record, sent } = recorded();
    await noteTimes(record, 'status', 3);
    await record.note('why');
    await record.end();
    await vi.advanceTimersByTimeAsync(2 * MINUTE_MS);
    expect(sent).toEqual(['status 1', 'why 1', 'status 2']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('the end does not fail if the supervisor is gone', async () => {
    const { record, refuse } = recorded();
    await noteTimes(record, 'status', 2);
    refuse(true);
    await expect(record.end()).resolves.toBeUndefined();
  });
});
