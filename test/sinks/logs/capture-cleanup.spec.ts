// Needs the native addon.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastValueFrom } from 'rxjs';
import { expect, it, onTestFinished, vi } from 'vitest';
import { freshService } from '../../../src/streams/domain/service/service.ts';
import { layoutOf } from '../../../src/streams/wire/layout.ts';
import { holdersOf } from './fifo/holder-harness.ts';
import { bench, logPath, run, shell, specOf, start, unstamped, until, WEB } from './harness.ts';

/** Both looks that it takes. */
const twoLooks = (): void => void vi.advanceTimersByTime(2_000);
const withoutLooks = (): void => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
};
const fifosOf = (dataDir: string): readonly string[] => {
  const { runDir } = layoutOf(dataDir);
  return readdirSync(runDir(specOf().project));
};

it('a removed service leaves no open log, and can be declared again', async () => {
  withoutLooks();
  const { dataDir, capture } = bench();
  const runDir = layoutOf(dataDir).runDir(specOf().project);
  for (const word of ['one', 'two']) {
    capture.follow(WEB, freshService(specOf()));
    await run(capture, shell(`echo ${word}`));
    expect(fifosOf(dataDir)).not.toEqual([]);
    capture.follow(WEB, undefined);
    expect(capture.tail(WEB, 1)).toEqual([word]);
    // A shell of the holder that opens a FIFO while it is deleted creates a file. A real removal comes later.
    await until(() => fifosOf(dataDir).every((name) => holdersOf(join(runDir, name)).length > 0));
    twoLooks();
    expect(fifosOf(dataDir)).toEqual([]);
    expect(capture.tail(WEB, 1)).toEqual([]);
  }
  expect(unstamped(logPath(dataDir))).toEqual(['stdout one', 'stdout two']);
});

it('a removal waits for processes that still print, and for hooks that begin later', async () => {
  withoutLooks();
  const { dataDir, capture } = bench();
  const stdout = layoutOf(dataDir).fifo(WEB, 'stdout');
  const go = `${dataDir}/go`;
  const { ended } = await start(capture, shell(`until [ -e ${go} ]; do sleep 0.01; done; echo last`));
  capture.follow(WEB, undefined);
  twoLooks();
  expect(existsSync(stdout)).toBe(true);
  writeFileSync(go, '');
  await ended;
  await lastValueFrom(capture.drained(WEB), { defaultValue: undefined });
  await capture.flush();
  vi.advanceTimersByTime(1_000);
  const hook = await capture.openHook(specOf());
  twoLooks();
  expect(existsSync(stdout)).toBe(true);
  hook.close();
  await until(() => capture.reading().length === 0);
  twoLooks();
  expect(fifosOf(dataDir)).toEqual([]);
  expect(unstamped(logPath(dataDir))).toEqual(['stdout last']);
});

it('a service that is declared again before its output ended keeps its log', async () => {
  withoutLooks();
  const { dataDir, capture } = bench();
  await run(capture, shell('echo one'));
  capture.follow(WEB, undefined);
  vi.advanceTimersByTime(1_000);
  capture.follow(WEB, freshService(specOf()));
  const { ended } = await start(capture, shell('echo two'));
  twoLooks();
  await ended;
  await lastValueFrom(capture.drained(WEB), { defaultValue: undefined });
  await capture.flush();
  expect(existsSync(layoutOf(dataDir).fifo(WEB, 'stdout'))).toBe(true);
  expect(unstamped(logPath(dataDir))).toEqual(['stdout one', 'stdout two']);
});
