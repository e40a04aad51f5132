import { describe, expect, it } from 'vitest';
import { DEFAULT_METRICS } from '../../../src/streams/domain/declared/manifest.ts';
import { diskPlace } from '../../../src/streams/metrics/limits.ts';

const MIB = 1024 * 1024;

describe('the place on disk', () => {
  it('is nowhere unless it is named', () => {
    expect(diskPlace({ ...DEFAULT_METRICS, spilloverMaxBytes: 5 })).toBeUndefined();
  });

  it('has bounds, whatever is said of them', () => {
    const named = { ...DEFAULT_METRICS, spilloverPath: '/m' };
    expect(diskPlace(named)).toEqual({ directory: '/m', maxBytes: 64 * MIB, segmentBytes: 4 * MIB });
    expect(diskPlace({ ...named, spilloverMaxBytes: 100 })).toMatchObject({ maxBytes: 100, segmentBytes: 7 });
    expect(diskPlace({ ...named, spilloverMaxBytes: 100, spilloverSegmentBytes: 900 })).toMatchObject({
      segmentBytes: 100,
    });
  });
});
