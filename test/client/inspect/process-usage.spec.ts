import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, describe, it } from 'vitest';
import { inspected } from '../../../src/client/inspect/process-usage.ts';
import { instant, ms } from '../../../src/streams/domain/time.ts';
import type { Bucket } from '../../../src/streams/metrics/bucket.ts';
import { segmentName } from '../../../src/streams/metrics/sample-files.ts';
import { spilledLine } from '../../../src/streams/metrics/spilling.ts';
import type { InspectDocument, InspectedService } from '../../../src/streams/wire/documents/documents.ts';
import { idOf } from '../../streams/metrics/support.ts';

const bucket = (at: number, amount: number): Bucket => {
  const spread = { count: 1, min: amount, sum: amount, max: amount };
  return { from: instant(at), to: instant(at), cpu: spread, rss: spread };
};

describe('samples of a time range', () => {
  it('samples come from memory, and from disk for older times', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'sup-samples-'));
    const now = Date.now();
    const lines = [bucket(now - 50_000, 1), bucket(now - 9_000, 99)].map((each) =>
      spilledLine([idOf('web'), each]),
    );
    writeFileSync(join(directory, segmentName(now - 60_000)), lines.join(''));
    const answer = {
      now: instant(now),
      spillover: directory,
      services: [{ id: idOf('web'), points: [bucket(now - 10_000, 2)] }],
    };
    const service = { project: 'shop', name: 'web', pid: null } as InspectedService;
    const document: InspectDocument = {
      schema: 'sup.inspect/1',
      supervisor: {
        running: true,
        pid: 1,
        version: 'x',
        since: null,
        restarts: null,
        process_start: null,
        warnings: [],
      },
      services: [service],
    };
    const inspector = {
      supervised: true,
      inspect: () => Promise.resolve(document),
      samples: () => Promise.resolve(answer),
    };
    const { sampled, warnings } = await inspected(inspector, {}, ms(60_000));
    const points = sampled.services[0]?.samples?.points ?? [];
    expect([points.map(({ rss_bytes }) => rss_bytes.mean), warnings]).toEqual([[1, 2], []]);
    rmSync(directory, { recursive: true });
  });
});
