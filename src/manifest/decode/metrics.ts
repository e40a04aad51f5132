// The metrics object (`docs/manifest.md`, "metrics"). The sample interval is clamped, not refused.
import { resolve } from 'node:path';
import { refuseUnsafePlace } from '../check/safe-place.ts';
import { spotBelow } from './shapes/decoder.ts';
import { defaulted, optional } from './shapes/field.ts';
import { clamped, whole } from './scalars/number.ts';
import { object } from './shapes/object.ts';
import { size } from './scalars/size.ts';
import { text } from './scalars/text.ts';

export const metrics = object({
  name: 'metrics',
  fields: {
    retention_minutes: defaulted(whole({ min: 0 }), 720, 'Minutes of samples kept in memory.'),
    sample_interval_secs: defaulted(clamped(1, 60), 1, 'Seconds between samples; clamped to 1..60.'),
    max_memory_bytes: defaulted(size, 10_485_760, 'Memory cap across all sample buffers.'),
    spillover_path: optional(text, "Directory for older samples, relative to the manifest's directory."),
    spillover_max_bytes: optional(size, 'Disk space that spilled samples may use.'),
    spillover_segment_bytes: optional(size, 'Size of one spillover file.'),
  },
  check: ({ spillover_path: directory }, spot, context) => {
    if (directory === undefined) return;
    const any = resolve(context.directory, directory, 'segment');
    refuseUnsafePlace(any, spotBelow(spot, 'spillover_path'), context);
  },
});
