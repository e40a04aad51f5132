// Whether `crontab -n` accepts and refuses the same lines as `sup import`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importedFrom, writtenFiles } from '../support/import-case.ts';
import { describeWith } from '../support/oracle.ts';

const ACCEPTED = [
  ...['* * * * * x', '*/5 1-5 1,15 jan-mar mon x', '0-59/7 * * * 5-7 x', '007 * * * * x', '*/70 * * * * x'],
  ...[
    '@reboot x',
    '@daily x',
    '@midnight x',
    '@hourly x',
    '@weekly x',
    '@monthly x',
    '@yearly x',
    '@annually x',
  ],
  ...['1-5/2,7 * * * sun-tue x', 'A=b\n0 0 * * * x', '"A"="b"\n0 0 * * * x', "A = 'b c'\n0 0 31 2 7 x%y%%z"],
];

const REFUSED = [
  ...[
    '60 * * * * x',
    '* 24 * * * x',
    '* * 0 * * x',
    '* * 32 * * x',
    '* * * 0 * x',
    '* * * 13 * x',
    '* * * * 8 x',
  ],
  ...[
    '5/2 * * * * x',
    '*/0 * * * * x',
    '1,,2 * * * * x',
    '* * * january * x',
    '* * * * monday x',
    '? * * * * x',
  ],
  ...['* * L * * x', '~ * * * * x', 'nonsense', '@Daily x', '@never x', 'A B = c'],
];

describeWith('crontab')('crontab and sup import', () => {
  it('accept and refuse the same lines', async () => {
    for (const text of [...ACCEPTED, ...REFUSED]) {
      const files = { crontab: `${text}\n` };
      const directory = writtenFiles(files);
      const { status } = spawnSync('/usr/bin/crontab', ['-n', join(directory, 'crontab')]);
      const isRead = await importedFrom(directory, { files }).then(
        () => true,
        () => false,
      );
      expect({ text, cron: status === 0, sup: isRead }).toEqual({
        ...{ text, cron: ACCEPTED.includes(text), sup: ACCEPTED.includes(text) },
      });
    }
  });
});
