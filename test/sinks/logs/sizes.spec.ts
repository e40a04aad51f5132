// Needs the native addon.
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lastValueFrom } from 'rxjs';
import { expect, it } from 'vitest';
import { freshService } from '../../../src/streams/domain/service/service.ts';
import { bench, logPath, shell, specOf, start, WEB } from './harness.ts';

it('newer sizes also apply to the output of a run that began before', async () => {
  const { dataDir, capture } = bench();
  const go = join(dataDir, 'go');
  const printing = `while [ ! -e ${go} ]; do :; done; for n in 1 2 3 4 5 6 7 8 9; do printf "%0300d\\n" 0; done`;
  const { ended } = await start(capture, shell(printing));
  capture.follow(WEB, freshService(specOf(WEB, { sink: 'file', maxBytes: 1_000, maxFiles: 2 })));
  writeFileSync(go, '');
  await ended;
  await lastValueFrom(capture.drained(WEB), { defaultValue: undefined });
  await capture.flush();
  const directory = dirname(logPath(dataDir));
  const names = readdirSync(directory).sort();
  expect(names).toEqual(['web.log', 'web.log.1', 'web.log.2']);
  expect(Math.max(...names.map((name) => statSync(join(directory, name)).size))).toBeLessThan(1_000);
});
