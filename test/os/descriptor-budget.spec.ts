import { closeSync, openSync, readdirSync } from 'node:fs';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { DescriptorBudget, ROOM } from '../../src/os/descriptor-budget.ts';

const used = (): number => readdirSync('/proc/self/fd').length;

const held: number[] = [];
afterEach(() => held.splice(0).forEach((descriptor) => closeSync(descriptor)));

/** Two are opened and the first is closed, as for a FIFO: so the lowest number is free again each time. */
const take = (): void => {
  const low = openSync('/dev/null', 'r');
  held.push(openSync('/dev/null', 'r'));
  closeSync(low);
};

describe('the descriptor budget', () => {
  it('there is room far from the limit, and none with only a few descriptors left', () => {
    expect(new DescriptorBudget(() => 1_000_000).isScarce()).toBe(false);
    expect(new DescriptorBudget(() => used() + 40).isScarce()).toBe(false);
    expect(new DescriptorBudget(() => used() + 10).isScarce()).toBe(true);
  });

  it('there is room again when files are closed or the limit is raised', () => {
    let limit = used() + 10;
    const descriptorBudget = new DescriptorBudget(() => limit);
    expect(descriptorBudget.isScarce()).toBe(true);
    expect(descriptorBudget.advice).toContain(`only ${limit} files may be open`);
    limit += 100;
    expect(descriptorBudget.isScarce()).toBe(false);
    expect(descriptorBudget.wasScarce()).toBe(true);
  });

  it('a shortage of many descriptors holds for a while, because a count takes long', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    while (held.length < 1_000) held.push(openSync('/dev/null', 'r'));
    const limit = used() + 10;
    const descriptorBudget = new DescriptorBudget(() => limit);
    expect(descriptorBudget.isScarce()).toBe(true);
    held.splice(0, 500).forEach((descriptor) => closeSync(descriptor));
    expect(descriptorBudget.isScarce()).toBe(true);
    vi.advanceTimersByTime(200);
    expect(descriptorBudget.isScarce()).toBe(false);
  });

  it('used descriptors above a free one count', () => {
    const limit = used() + 150;
    const descriptorBudget = new DescriptorBudget(() => limit);
    while (held.length < 150 && !descriptorBudget.isScarce()) take();
    expect(limit - used()).toBeLessThan(ROOM);
    expect(limit - used()).toBeGreaterThanOrEqual(ROOM - 1);
  });

  it('holders of optional descriptors give them up when there is no room, and not before', () => {
    const limit = used() + 100;
    const descriptorBudget = new DescriptorBudget(() => limit);
    while (!descriptorBudget.isTight()) take();
    const before = held.length;
    descriptorBudget.onShortage(() => {
      const [one] = held.splice(-1);
      if (one !== undefined) closeSync(one);
      return one !== undefined;
    });
    expect(descriptorBudget.isTight()).toBe(true);
    expect(held).toHaveLength(before);
    expect(descriptorBudget.isScarce()).toBe(false);
    expect(held).toHaveLength(before - 1);
    expect(descriptorBudget.wasScarce()).toBe(false);
    expect(new DescriptorBudget(() => used()).isScarce()).toBe(true);
  });
});
