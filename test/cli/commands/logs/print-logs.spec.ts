import { describe, expect, it } from 'vitest';
import { logsCommand, type LogsArguments } from '../../../../src/cli/commands/logs/print-logs.ts';
import { projectId, serviceId } from '../../../../src/streams/domain/ids.ts';
import { layoutOf } from '../../../../src/streams/wire/layout.ts';
import { line, temporary, write } from './harness.ts';

const WEB = serviceId(projectId('shop'), 'web');
const ARGS: LogsArguments = { services: [WEB], follow: false, lines: 5, json: false, prefix: false };

const logOf = (dataDir: string): string => layoutOf(dataDir).log(WEB);
const show = async (dataDir: string, args: Partial<LogsArguments>): Promise<string> => {
  let printed = '';
  const out = { write: (text: string) => void (printed += text), color: false };
  const status = await logsCommand({ ...ARGS, ...args }, out, { dataDir, signal: AbortSignal.abort() });
  expect(status).toBe(0);
  return printed;
};

describe('sup logs', () => {
  it('sup logs prints the last lines', async () => {
    const dataDir = temporary();
    write(logOf(dataDir), line('one'), line('two'), line('three'));
    expect(await show(dataDir, { lines: 2 })).toBe('two\nthree\n');
    expect(await show(dataDir, { lines: 2, grep: 'o', prefix: true })).toBe('web | one\nweb | two\n');
  });

  it('sup logs --ignore-case matches either case', async () => {
    const dataDir = temporary();
    write(logOf(dataDir), line('an Error'), line('an error'));
    expect(await show(dataDir, { grep: 'error' })).toBe('an error\n');
    expect(await show(dataDir, { grep: 'error', ignoreCase: true })).toBe('an Error\nan error\n');
  });

  it('sup logs says when there is nothing to print', async () => {
    const dataDir = temporary();
    const told = async (args: Partial<LogsArguments>): Promise<number> => {
      let times = 0;
      const out = { write: () => undefined, color: false, onNothing: () => void (times += 1) };
      await logsCommand({ ...ARGS, ...args }, out, { dataDir, signal: AbortSignal.abort() });
      return times;
    };
    expect([await told({}), await told({ lines: 0 })]).toEqual([1, 0]);
    write(logOf(dataDir), line('one'));
    expect([await told({}), await told({ grep: 'two' })]).toEqual([0, 1]);
  });

  it('sup logs prints changes of the service between its lines, from the first one on', async () => {
    const dataDir = temporary();
    write(logOf(dataDir), line('one', 10), line('two', 20, 'stderr'));
    const event = { schema: 'sup.event/1', kind: 'state', project: 'shop', service: 'web', cause: 'exited' };
    const at = (minute: number): string => `2026-11-21T05:${String(minute).padStart(2, '0')}:30.000Z`;
    const events = [
      { ...event, at: at(9), from: 'starting', to: 'running', run: 1, pid: 7, reason: null },
      { ...event, at: at(15), from: 'running', to: 'stopping', run: 1, pid: 7, reason: 'exited with 3' },
      { ...event, at: at(15), from: 'stopping', to: 'backoff', run: 1, pid: null, reason: 'exited with 3' },
      { ...event, at: at(16), from: 'starting', to: 'running', run: 2, pid: 8, reason: null },
      { ...event, at: at(17), service: 'other', from: 'starting', to: 'running', run: 2, pid: 8 },
    ];
    write(layoutOf(dataDir).events, ...events.map((one) => `${JSON.stringify(one)}\n`));
    expect(await show(dataDir, { marks: true })).toBe(
      'one\n* backoff: exited with 3\n* run 2 is ready, pid 8\n! two\n',
    );
    expect(await show(dataDir, { marks: true, grep: 'run', stream: 'sup' })).toBe('');
    expect(await show(dataDir, {})).toBe('one\ntwo\n');
  });

  it('sup logs --json prints one document a line', async () => {
    const dataDir = temporary();
    write(logOf(dataDir), line('one'), line('two'));
    const documents = (await show(dataDir, { json: true })).trimEnd().split('\n');
    expect(documents.map((document): unknown => JSON.parse(document))).toMatchObject([
      { text: 'one' },
      { text: 'two' },
    ]);
  });

  it('sup logs ends quietly when its output is closed', async () => {
    const dataDir = temporary();
    write(logOf(dataDir), line('one'));
    const gone = (): Promise<void> => Promise.reject(Object.assign(new Error('gone'), { code: 'EPIPE' }));
    const ports = { dataDir, signal: new AbortController().signal };
    expect(await logsCommand({ ...ARGS, follow: true }, { write: gone, color: false }, ports)).toBe(0);
  });

  it('sup logs waits for a slow reader', async () => {
    const dataDir = temporary();
    write(logOf(dataDir), line('one'));
    const enough = new AbortController();
    let [writing, most, printed] = [0, 0, ''];
    const slow = async (text: string): Promise<void> => {
      writing += 1;
      most = Math.max(most, writing);
      await new Promise((resolve) => setImmediate(resolve));
      writing -= 1;
      if (printed.length < 1000) write(logOf(dataDir), line('more'));
      else enough.abort();
      printed += text;
    };
    await logsCommand(
      { ...ARGS, follow: true },
      { write: slow, color: false },
      { dataDir, signal: enough.signal },
    );
    expect(most).toBe(1);
    expect(printed.startsWith('one\nmore\nmore\n')).toBe(true);
  });

  it('sup logs --until includes all lines of its millisecond', async () => {
    const dataDir = temporary();
    const at = (stamp: string): string => `2026-11-21T05:00:00.${stamp}Z stdout ${stamp}\n`;
    write(logOf(dataDir), at('123000'), at('123456'), at('123999'), at('124000'));
    const until = '2026-11-21T05:00:00.123Z';
    expect(await show(dataDir, { until, lines: Infinity })).toBe('123000\n123456\n123999\n');
  });

  it.each([{ since: 'tomorrow' }, { until: '5 minutes' }, { grep: '(' }])(
    'sup logs refuses %j with a reason',
    async (args) => {
      await expect(show(temporary(), args)).rejects.toMatchObject({ document: { code: 'ERR0200' } });
    },
  );
});
