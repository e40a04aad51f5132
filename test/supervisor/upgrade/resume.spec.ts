// Commands that were handed over and that no watch continues.
import { fstatSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { endUnclaimed } from '../../../src/supervisor/upgrade/resume.ts';
import { CommandBook } from '../../../src/sinks/process/commands/commands-under-way.ts';
import { exitLedger } from '../../../src/sinks/process/exit-ledger.ts';
import { projectId, runId, serviceId } from '../../../src/streams/domain/ids.ts';

const mark = { service: serviceId(projectId('!command'), 'x'), run: runId(1) };
const PROCESS = { pid: 4_194_304, startTicks: 1 };

it('an unclaimed command is not handed over again; its file is closed and its exit dropped', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sup-unclaimed-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const scratch = openSync('/dev/null', 'r');
  const book = new CommandBook([{ key: 'probe', mark, process: PROCESS, scratch }]);
  const ledger = exitLedger();
  ledger.record(PROCESS, Promise.resolve({ tag: 'code', code: 1 }));

  await endUnclaimed({ book, options: { dataDir }, processes: { ledger } });
  expect(book.handed()).toEqual([]);
  expect(ledger.unread()).toEqual([]);
  expect(() => fstatSync(scratch)).toThrow('EBADF');
});
