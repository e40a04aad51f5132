// Needs the native addon.
import { existsSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startTicksOf } from '../../../../src/os/proc/process-stat.ts';
import { readLimit, setLimit } from '../../../../src/os/libc/resource-limits.ts';
import { libcOfThisMachine } from '../../../os/support.ts';
import { temporary, until } from '../harness.ts';
import {
  recorded,
  sleeper,
  orphanedBy,
  holdersOf,
  fifosIn,
  manyIn,
  letGo,
  withoutTimers,
  outlived,
  read,
  holding,
  holderOf,
  toldAll,
} from './holder-harness.ts';

describe('a FIFO holder', () => {
  it('a holder is ended by the next supervisor although its own died during its replacement', async () => {
    const dataDir = temporary();
    const pidFile = join(dataDir, 'keeper.pid');
    const [old, younger] = [sleeper(), sleeper()];
    const both = [younger, old].map((pid) => `${pid} ${startTicksOf(pid) ?? 0}\n`);
    writeFileSync(pidFile, both.join(''));
    holderOf(dataDir).renew();
    await until(() => startTicksOf(old) === undefined && startTicksOf(younger) === undefined);
  });

  it('a holder is recorded again if its record was removed, and ends although the record is lost', async () => {
    const dataDir = temporary();
    const { holder, kept } = holding(dataDir, await fifosIn(dataDir, 'web.stdout'));
    const pidFile = join(dataDir, 'keeper.pid');
    holder.renew();
    const pid = recorded(pidFile);
    rmSync(pidFile);
    const silence = join(dataDir, 'keeper.fifo');
    rmSync(silence);
    holder.mend();
    expect(recorded(pidFile)).toBe(pid);
    await until(() => existsSync(silence));
    rmSync(pidFile);
    letGo(kept);
    holder.close();
    await until(() => startTicksOf(pid) === undefined);
  });

  it('a holder keeps the output of a dead service while no other process has the FIFO open', async () => {
    const dataDir = temporary();
    const fifos = await fifosIn(dataDir, 'web.stdout');
    const [fifo = ''] = fifos;
    const { holder, kept } = holding(dataDir, fifos);
    holder.renew();
    letGo(kept);
    expect(outlived(fifo)).toBe('last words\n');
  });

  it('a holder starts with few free descriptors, in any order of opened FIFOs', async () => {
    const dataDir = temporary();
    const fifos = await manyIn(dataDir, 200);
    const { holder, kept } = holding(dataDir, fifos);
    kept.reverse();
    const libc = libcOfThisMachine();
    const before = readLimit(libc, 'nofile');
    const highest = Math.max(...kept.map(({ descriptor }) => descriptor));
    setLimit(libc, 'nofile', { ...before, soft: highest + 24 });
    try {
      holder.renew();
    } finally {
      setLimit(libc, 'nofile', before);
    }
    const [fifo = ''] = fifos;
    await until(() => holdersOf(fifo).length === 1);
  });

  it('a holder keeps output between two runs when it is replaced', async () => {
    const dataDir = temporary();
    const [web = '', api = ''] = await fifosIn(dataDir, 'web.stdout', 'api.stdout');
    const { holder, kept } = holding(dataDir, [web]);
    holder.renew();
    const first = recorded(join(dataDir, 'keeper.pid'));
    letGo(kept);
    kept.push(read(api));
    holder.renew();
    await until(() => startTicksOf(first) === undefined);
    holder.note([web], { fresh: false, unkept: false });
    expect(outlived(web)).toBe('last words\n');
  });

  it('a holder keeps output of a service that was dead at its renewal, and is not replaced for it again', async () => {
    const dataDir = temporary();
    const pidFile = join(dataDir, 'keeper.pid');
    const [web = '', api = ''] = await fifosIn(dataDir, 'web.stdout', 'api.stdout');
    const { holder } = holding(dataDir, [web]);
    holder.renew();
    const first = recorded(pidFile);
    withoutTimers();
    holder.note([api], { fresh: true, unkept: false });
    vi.advanceTimersByTime(1_000);
    const second = recorded(pidFile);
    expect(second).not.toBe(first);
    holder.note([api], { fresh: false, unkept: false });
    vi.advanceTimersByTime(1_000);
    expect(recorded(pidFile)).toBe(second);
    vi.useRealTimers();
    await until(() => startTicksOf(first) === undefined);
    expect(outlived(api)).toBe('last words\n');
  });

  it('a holder closes FIFOs that are not read if descriptors are scarce', async () => {
    const dataDir = temporary();
    const [web = '', api = ''] = await fifosIn(dataDir, 'web.stdout', 'api.stdout');
    const { holder, kept } = holding(dataDir, [web], { isScarce: () => true });
    holder.renew();
    letGo(kept);
    kept.push(read(api));
    holder.renew();
    const open = `/proc/${recorded(join(dataDir, 'keeper.pid'))}/fd`;
    let held: readonly string[] = [];
    // A descriptor that the program closes at its start may be gone between the two calls.
    await until(() => {
      try {
        held = readdirSync(open).map((descriptor) => readlinkSync(join(open, descriptor)));
      } catch {
        return false;
      }
      return true;
    });
    expect(held).toContain(api);
    expect(held).not.toContain(web);
  });

  it.each([
    { when: 'soon', count: 66, took: 0, since: 0, delay: 20 },
    { when: 'the later, the longer it takes', count: 66, took: 10, since: 0, delay: 200 },
    { when: 'soon after a while, however long it takes', count: 66, took: 10, since: 190, delay: 20 },
    { when: 'within three tenths of a second', count: 66, took: 500, since: 0, delay: 300 },
    { when: 'sooner while it holds few', count: 3, took: 500, since: 0, delay: 40 },
  ])('a holder is replaced $when', async ({ count, took, since, delay }) => {
    const dataDir = temporary();
    const pidFile = join(dataDir, 'keeper.pid');
    const fifos = await manyIn(dataDir, count);
    const [last = '', before = '', ...first] = fifos;
    const { holder, kept } = holding(dataDir, first);
    const more = (fifo: string): unknown => kept.push(read(fifo));
    // The first tells nothing: it loads what starts processes.
    holder.renew();
    more(before);
    const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000);
    toldAll(holder);
    clock
      .mockReturnValueOnce(1_000)
      .mockReturnValueOnce(1_000 + took)
      .mockReturnValue(1_000 + took + since);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
      vi.restoreAllMocks();
    });
    holder.renew();
    const second = recorded(pidFile);
    more(last);
    holder.note([last], { fresh: true, unkept: false });
    vi.advanceTimersByTime(delay - 1);
    expect(recorded(pidFile)).toBe(second);
    vi.advanceTimersByTime(1);
    expect(recorded(pidFile)).not.toBe(second);
  });

  it('a holder is replaced only if there are more FIFOs', async () => {
    const dataDir = temporary();
    const pidFile = join(dataDir, 'keeper.pid');
    const fifos = await fifosIn(dataDir, 'web.stdout', 'api.stdout');
    const { holder, kept } = holding(dataDir, fifos.slice(0, 1));
    holder.renew();
    const first = recorded(pidFile);
    holder.renew();
    expect(recorded(pidFile)).toBe(first);
    kept.push(read(fifos[1] ?? ''));
    holder.renew();
    expect(recorded(pidFile)).not.toBe(first);
    await until(() => startTicksOf(first) === undefined);
  });

  it('a holder of a dead supervisor stays until the next one has read everything', async () => {
    const dataDir = temporary();
    const pidFile = join(dataDir, 'keeper.pid');
    const fifos = await fifosIn(dataDir, 'web.stdout', 'api.stdout');
    holding(dataDir, fifos).holder.renew();
    const left = recorded(pidFile);
    withoutTimers();
    const { holder, kept } = holding(dataDir, fifos.slice(0, 1));
    holder.note(fifos.slice(0, 1), { fresh: true, unkept: false });
    vi.advanceTimersByTime(10_000);
    expect(recorded(pidFile)).toBe(left);
    kept.push(read(fifos[1] ?? ''));
    holder.renew();
    expect(recorded(pidFile)).not.toBe(left);
  });

  it('a holder ends with the orderly end of its supervisor, and stays while a process writes', async () => {
    const dataDir = temporary();
    const pidFile = join(dataDir, 'keeper.pid');
    const { holder, kept } = holding(dataDir, await fifosIn(dataDir, 'web.stdout'));
    holder.renew();
    const pid = recorded(pidFile);
    holder.close();
    expect(startTicksOf(pid)).toBeDefined();
    letGo(kept);
    holder.close();
    await until(() => startTicksOf(pid) === undefined);
    expect(existsSync(pidFile)).toBe(false);
  });

  it.each([
    { who: 'goes with the next supervisor', marked: true },
    { who: 'is a stranger without its mark', marked: false },
  ])('a holder of a killed supervisor leaves a process that $who', async ({ marked }) => {
    const dataDir = temporary();
    const pidFile = join(dataDir, 'keeper.pid');
    const { leader, left } = await orphanedBy(
      marked ? { SUP_KEEPER: '1', SUP_DATA_DIR: dataDir } : { SUP_KEEPER: '1' },
    );
    writeFileSync(pidFile, `${leader.pid} ${leader.startTicks}\n`);
    const holder = holderOf(dataDir);
    expect(holder.wasLeft()).toBe(marked);
    holder.close();
    if (marked) await until(() => startTicksOf(left) === undefined);
    else expect(startTicksOf(left)).toBeDefined();
  });

  it('a holder of a dead supervisor is ended by the next one, and no other process with its pid', async () => {
    const dataDir = temporary();
    const pidFile = join(dataDir, 'keeper.pid');
    const [old, stranger] = [sleeper(), sleeper()];
    const renew = (): void => holderOf(dataDir).renew();
    writeFileSync(pidFile, `${stranger} 1\n`);
    renew();
    writeFileSync(pidFile, `${old} ${startTicksOf(old) ?? 0}\n`);
    renew();
    await until(() => startTicksOf(old) === undefined);
    expect(startTicksOf(stranger)).toBeDefined();
  });
});
