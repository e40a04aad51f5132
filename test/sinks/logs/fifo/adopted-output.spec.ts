// Needs the native addon.
import { existsSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { DescriptorBudget } from '../../../../src/os/descriptor-budget.ts';
import { fileCapture } from '../../../../src/sinks/logs/capture.ts';
import type { FileCapture } from '../../../../src/sinks/logs/capture-ports.ts';
import { layoutOf } from '../../../../src/streams/wire/layout.ts';
import { captureIn, specOf, start, temporary, WEB } from '../harness.ts';
import { PATIENT } from '../../../support/patience.ts';

/** The FIFOs that a capture before this one has left. */
const left = async (dataDir: string): Promise<void> => {
  const before = captureIn(dataDir);
  (await before.open(specOf())).close();
  await before.close();
};

/** A capture with so many descriptors, as soon as they are asked for. */
const withFiles = (dataDir: string, limit: () => number, troubles: string[]): FileCapture => {
  const capture = fileCapture({
    dataDir,
    defaults: () => ({ maxBytes: 0, maxFiles: 5 }),
    logError: (text) => troubles.push(text),
    libc: undefined,
    descriptorBudget: new DescriptorBudget(limit),
  });
  onTestFinished(() => capture.close());
  return capture;
};

describe('output that could not be read at first', () => {
  it('output that could not be read is read a second later, and its log follows the newest declaration', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const dataDir = temporary();
    await left(dataDir);
    const troubles: string[] = [];
    let limit = 1;
    const capture = withFiles(dataDir, () => limit, troubles);
    capture.adopt(specOf());
    expect(troubles.join('\n')).toContain('cannot be read on');
    limit = 1_000_000;
    const declared = specOf(WEB, { sink: 'file', maxBytes: 200 });
    const { ended } = await start(capture, ['seq', '1000001', '1000020'], declared);
    vi.advanceTimersByTime(1_000);
    vi.useRealTimers();
    await ended;
    await vi.waitFor(() => expect(capture.tail(WEB, 1).join()).toContain('1000020'), PATIENT);
    await capture.flush();
    expect(existsSync(`${layoutOf(dataDir).log(WEB)}.1`)).toBe(true);
  });
});
