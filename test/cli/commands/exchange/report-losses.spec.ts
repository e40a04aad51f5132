// The table of what an import has lost, on terminals of several widths and in a pipe.
import { describe, expect, it } from 'vitest';
import { printLosses } from '../../../../src/cli/commands/exchange/report-losses.ts';
import type { Loss } from '../../../../src/exchange/key-table.ts';
import { contextIn, fakeWorld } from '../../support/fake-world.ts';

const LOSSES: readonly Loss[] = [
  {
    ...{ effect: 'lost', key: 'MAILTO', place: { file: 'crontab', line: 1 } },
    message: 'sup mails no output to me@example.com; sup logs shows it, and alerts tell of failed runs',
  },
  {
    ...{ effect: 'changed', service: 'web', key: 'priority', place: { file: 'crontab', line: 12 } },
    message: 'short\nand in one line',
  },
];

const printed = (columns?: number, losses = LOSSES): readonly string[] => {
  const heard = fakeWorld({ directory: '/srv', ...(columns && { terminal: { columns, rows: 24 } }) });
  printLosses(contextIn(heard, 'no-color'), losses);
  return heard.err().trimEnd().split('\n');
};

describe('the table of losses', () => {
  it('the table of losses has one whole line for each loss in a pipe', () => {
    expect(printed()).toEqual([
      '         SERVICE  SETTING   AT          WHAT',
      `lost     -        MAILTO    crontab:1   ${LOSSES[0]?.message}`,
      'changed  web      priority  crontab:12  short\\nand in one line',
    ]);
  });

  it('the table of losses has paths from the working directory', () => {
    const [first] = LOSSES;
    if (first === undefined) throw new Error('there are no losses');
    const at = (file: string): Loss => ({ ...first, place: { file, line: 1 } });
    expect(printed(30, [at('/srv/app/sup.yaml'), at('/other/sup.yaml')]).slice(0, 2)).toEqual([
      'lost  -  MAILTO  app/sup.yaml:1',
      'lost  -  MAILTO  /other/sup.yaml:1',
    ]);
  });

  it('the table of losses wraps sentences in their column on a terminal', () => {
    expect(printed(80)).toEqual([
      '         SERVICE  SETTING   AT          WHAT',
      'lost     -        MAILTO    crontab:1   sup mails no output to me@example.com;',
      `${' '.repeat(40)}sup logs shows it, and alerts tell of`,
      `${' '.repeat(40)}failed runs`,
      'changed  web      priority  crontab:12  short\\nand in one line',
    ]);
  });

  it('the table of losses has sentences below the rows on a narrow terminal', () => {
    expect(printed(60)).toEqual([
      'lost     -        MAILTO    crontab:1',
      '  sup mails no output to me@example.com; sup logs shows it,',
      '  and alerts tell of failed runs',
      'changed  web      priority  crontab:12',
      '  short\\nand in one line',
    ]);
    expect(printed(30)[0]).toBe('lost  -  MAILTO  crontab:1');
  });

  it('the table of losses has the same sentence of several rows once on a narrow terminal', () => {
    const [first, second] = LOSSES;
    if (first === undefined || second === undefined) throw new Error('there are no losses');
    expect(printed(60, [{ ...second, service: 'api' }, second, first]).slice(0, 4)).toEqual([
      'changed  api      priority  crontab:12',
      'changed  web      priority  crontab:12',
      '  short\\nand in one line',
      'lost     -        MAILTO    crontab:1',
    ]);
  });
});
