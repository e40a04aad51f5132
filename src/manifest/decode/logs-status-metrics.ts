// Decodes the settings for logs, status and metrics (`docs/manifest.md`, "logs", "status", "metrics"). If
// several levels have `logs`, the innermost value of each field applies. An interval outside its range
// becomes the nearest limit of the range.
import { resolve } from 'node:path';
import { refuseUnsafePlace } from '../check/safe-place.ts';
import { age } from './scalars/durations.ts';
import { clamped, flag, whole } from './scalars/number.ts';
import { size } from './scalars/sizes.ts';
import { oneOf, text } from './scalars/text.ts';
import { spotBelow } from './shapes/decoder.ts';
import { defaulted, optional } from './shapes/fields.ts';
import { object } from './shapes/object.ts';

export const logs = object({
  name: 'logs',
  fields: {
    sink: optional(
      oneOf('file', 'none'),
      '`file`: output is written to log files of `sup`. `none`: output is discarded; only the last lines of the present run are kept in memory, to show them after a failure.',
      '`file`',
    ),
    max_bytes: optional(
      size,
      'Size of the active log file before rotation; `0` never rotates.',
      '`logs/max_bytes` of the settings',
    ),
    max_files: optional(
      whole({ min: 0, max: 10_000 }),
      'Rotated files kept per active log.',
      '`logs/max_files` of the settings',
    ),
    max_age: optional(
      age,
      'Rotated files that were last written longer ago than this are removed. Also with `d` for days.',
      'no limit',
    ),
    compress: optional(flag, 'Compresses rotated files with gzip, in the background.', '`false`'),
  },
});

export const status = object({
  name: 'status',
  fields: {
    snapshot_mode: defaulted(
      oneOf('off', 'summary', 'detailed'),
      'summary',
      'What background snapshots contain: nothing (`off`), states and metric summaries (`summary`), or also process trees with command lines (`detailed`).',
    ),
    snapshot_interval_secs: defaulted(
      clamped(1, 300),
      5,
      'Seconds between background snapshots; clamped to 1..300.',
    ),
  },
});

export const metrics = object({
  name: 'metrics',
  fields: {
    retention_minutes: defaulted(whole({ min: 0 }), 720, 'Minutes of samples kept in memory.'),
    sample_interval_secs: defaulted(clamped(1, 60), 1, 'Seconds between samples; clamped to 1..60.'),
    max_memory_bytes: defaulted(size, 10_485_760, 'Maximum memory for all samples together.'),
    spillover_path: optional(text, "Directory for older samples, relative to the manifest's directory."),
    spillover_max_bytes: optional(size, 'Maximum disk space for samples in `spillover_path`.'),
    spillover_segment_bytes: optional(size, 'Size of one spillover file.'),
  },
  check: ({ spilloverPath: directory }, spot, context) => {
    if (directory === undefined) return;
    const any = resolve(context.directory, directory, 'segment');
    refuseUnsafePlace(any, spotBelow(spot, 'spillover_path'), context);
  },
});
