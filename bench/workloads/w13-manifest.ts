// W13: a manifest of a thousand services in fifty includes with five thousand variables. Measures the time
// and the peak memory of `validate`.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inOwnDirectory } from '../measure/own-directory.ts';
import { peakOf } from '../measure/processes.ts';
import { repeat } from '../measure/repeat.ts';
import { median } from '../measure/statistics.ts';
import { openSup, type Sup } from '../subjects/sup.ts';
import type { Workload } from '../workload.ts';

const FRAGMENTS = 50;
const SERVICES_EACH = 20;
const VARIABLES_EACH = 5;

/** Returns a service in block-style YAML. Nearly half of its variables are expanded from others. */
const service = (name: string, needs: string | undefined): string =>
  [
    `${name}:`,
    `  command: exec run-${name} --port \${PORT_0}`,
    '  restart_policy: always',
    '  backoff: 2s',
    ...(needs === undefined ? [] : [`  depends_on: [${needs}]`]),
    '  env:',
    '    vars:',
    ...Array.from({ length: VARIABLES_EACH }, (_, at) =>
      at % 2 === 0 ? `      PORT_${at}: "${at}"` : `      URL_${at}: http://\${PORT_${at - 1}}/\${BASE}`,
    ),
    '  deployment:',
    '    health_check: { url: "http://localhost:80/", interval: 5s }',
  ].join('\n');

const fragment = (number: number): string =>
  Array.from({ length: SERVICES_EACH }, (_, at) =>
    service(`s${number}-${at}`, at === 0 ? undefined : `s${number}-${at - 1}`),
  ).join('\n');

const root = (): string =>
  [
    'version: "2"',
    'env: { vars: { BASE: base } }',
    'projects:',
    ...Array.from({ length: FRAGMENTS }, (_, at) => `  p${at}:\n    services: !include parts/p${at}.yaml`),
  ].join('\n');

const writeAll = async (directory: string): Promise<string> => {
  await mkdir(join(directory, 'parts'));
  for (let at = 0; at < FRAGMENTS; at += 1)
    await writeFile(join(directory, `parts/p${at}.yaml`), `${fragment(at)}\n`, { mode: 0o600 });
  const file = join(directory, 'sup.yaml');
  await writeFile(file, `${root()}\n`, { mode: 0o600 });
  return file;
};

/**
 * Resolves to the peak memory of `validate`, KiB. The kernel's peak value is read every few milliseconds,
 * until the process has ended.
 */
const peak = async (sup: Sup, file: string): Promise<number> => {
  let highest = 0;
  let looking: NodeJS.Timeout | undefined;
  const onStart = (pid: number): void => {
    looking = setInterval(() => (highest = Math.max(highest, peakOf(pid) || 0)), 4);
  };
  await sup.cli(['validate', '-c', file], { onStart });
  clearInterval(looking);
  return highest;
};

export const manifest: Workload = {
  id: 'W13',
  title: 'manifest',
  run: (bench) =>
    inOwnDirectory(bench.scratch, async (place) => {
      const sup = openSup(bench.dist, place);
      const file = await writeAll(place.directory);
      const rounds = bench.quick ? 2 : 7;
      const times = await repeat(rounds, async () => (await sup.cli(['validate', '-c', file])).took);
      const peaks = await repeat(3, () => peak(sup, file));
      const subject = 'sup';
      return [
        { subject, what: 'validate', value: median(times) / 1000, unit: 's', goal: { atMost: 1 } },
        { subject, what: 'peak memory', value: median(peaks) / 1024, unit: 'MiB', goal: { atMost: 200 } },
      ];
    }),
};
