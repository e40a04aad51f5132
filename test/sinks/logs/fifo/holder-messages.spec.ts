// What a holder does with FIFOs that it is told of.
// Needs the native addon.
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startTicksOf } from '../../../../src/os/proc/process-stat.ts';
import { nameAndState } from '../../../fixtures/processes/world.ts';
import { temporary, until } from '../harness.ts';
import {
  recorded,
  holdersOf,
  fifosIn,
  manyIn,
  withoutTimers,
  outlived,
  read,
  holding,
} from './holder-harness.ts';

describe('notifying a FIFO holder', () => {
  it('a FIFO holder holds a new FIFO as soon as it is notified, and the notifying process ends with it', async () => {
    const dataDir = temporary();
    const [web = '', api = ''] = await fifosIn(dataDir, 'web.stdout', 'api.stdout');
    const { holder, kept } = holding(dataDir, [web]);
    withoutTimers();
    holder.renew();
    const pid = recorded(join(dataDir, 'keeper.pid'));
    holder.note([api], { fresh: true, unkept: false });
    vi.useRealTimers();
    await until(() => holdersOf(api).length > 0);
    const [holderPid = 0] = holdersOf(api);
    expect(outlived(api)).toBe('last words\n');
    kept.push(read(api));
    holder.renew();
    await until(() => startTicksOf(pid) === undefined && startTicksOf(holderPid) === undefined);
  });

  it('FIFOs that are sent together are held by one process for four', async () => {
    const dataDir = temporary();
    const [web = '', ...fifos] = await manyIn(dataDir, 8);
    const gone = join(dataDir, 'gone.stdout');
    const { holder } = holding(dataDir, [web]);
    withoutTimers();
    holder.renew();
    for (const fifo of [gone, ...fifos]) holder.note([fifo], { fresh: true, unkept: false });
    vi.useRealTimers();
    await until(() => fifos.every((fifo) => holdersOf(fifo).length === 1));
    expect(
      fifos.map((fifo) => fifos.findIndex((other) => holdersOf(other)[0] === holdersOf(fifo)[0])),
    ).toEqual([0, 0, 0, 3, 3, 3, 3]);
  });

  it.each([
    { by: 'a copy of its shell', ports: {}, program: 'sh' },
    {
      by: 'a program that sleeps where there is nothing to read from',
      ports: { makeFifos: () => Promise.reject(new Error('the disk is full')) },
      program: 'sleep',
    },
  ])('a FIFO holder holds what it is sent by $by', async ({ ports, program }) => {
    const dataDir = temporary();
    const [web = '', api = ''] = await fifosIn(dataDir, 'web.stdout', 'api.stdout');
    const { holder } = holding(dataDir, [web], ports);
    withoutTimers();
    holder.renew();
    holder.note([api], { fresh: true, unkept: false });
    vi.useRealTimers();
    // It waits in a read, or sleeps: it uses no processor.
    await until(() => holdersOf(api).some((pid) => nameAndState(pid) === `${program} S`));
  });

  it('a FIFO holder takes thirty-two groups in two seconds, however often it is replaced', async () => {
    const dataDir = temporary();
    const [first = '', late = '', ...fifos] = await manyIn(dataDir, 130);
    const { holder, kept } = holding(dataDir, [first]);
    const now = vi.spyOn(performance, 'now').mockReturnValue(10_000);
    withoutTimers();
    onTestFinished(() => void vi.restoreAllMocks());
    holder.renew();
    for (const fifo of fifos) holder.note([fifo], { fresh: true, unkept: false });
    kept.push(read(late));
    holder.renew();
    holder.note([late], { fresh: true, unkept: false });
    now.mockReturnValue(12_001);
    holder.note([first], { fresh: true, unkept: false });
    vi.useRealTimers();
    // The holder and the process it starts, which has the holder's descriptors of both FIFOs for a moment.
    await until(() => holdersOf(first).length === 2 && holdersOf(late).length === 1);
  });

  it('a FIFO holder that must read a new FIFO is replaced at once; a notification only holds one', async () => {
    const dataDir = temporary();
    const pidFile = join(dataDir, 'keeper.pid');
    const [web = '', quiet = ''] = await manyIn(dataDir, 2);
    const { holder } = holding(dataDir, [web]);
    holder.renew();
    const before = recorded(pidFile);
    withoutTimers();
    holder.note([quiet], { fresh: true, unkept: true });
    vi.advanceTimersByTime(40);
    expect(recorded(pidFile)).not.toBe(before);
  });

  it('a FIFO holder can be sent as many FIFOs, whatever was noted before it started', async () => {
    const dataDir = temporary();
    const [late = '', ...fifos] = await manyIn(dataDir, 33);
    const { holder } = holding(dataDir, fifos);
    withoutTimers();
    for (const fifo of fifos) holder.note([fifo], { fresh: true, unkept: false });
    holder.renew();
    holder.note([late], { fresh: true, unkept: false });
    vi.useRealTimers();
    await until(() => holdersOf(late).length > 0);
  });

  it('a FIFO holder is replaced within half a second after it was sent all, whatever is noted meanwhile', async () => {
    const dataDir = temporary();
    const pidFile = join(dataDir, 'keeper.pid');
    const [first = '', ...fifos] = await manyIn(dataDir, 6);
    const { holder, kept } = holding(dataDir, [first]);
    holder.renew();
    const before = recorded(pidFile);
    withoutTimers();
    for (const fifo of fifos) {
      kept.push(read(fifo));
      holder.note([fifo], { fresh: true, unkept: false });
      vi.advanceTimersByTime(99);
    }
    expect(recorded(pidFile)).toBe(before);
    vi.advanceTimersByTime(5);
    const second = recorded(pidFile);
    expect(second).not.toBe(before);
    vi.advanceTimersByTime(10_000);
    expect(recorded(pidFile)).toBe(second);
  });
});
