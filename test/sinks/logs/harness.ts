// A capture over a data directory of its own, and real children that write into it.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastValueFrom } from 'rxjs';
import { onTestFinished } from 'vitest';
import { fileCapture } from '../../../src/sinks/logs/capture.ts';
import type { FileCapture } from '../../../src/sinks/logs/capture-ports.ts';
import { nameOf, projectId, projectOf, serviceId, type ServiceId } from '../../../src/streams/domain/ids.ts';
import type { LogsSpec, ServiceSpec } from '../../../src/streams/domain/declared/spec.ts';
import { ms } from '../../../src/streams/domain/time.ts';
import { libcOfThisMachine } from '../../os/support.ts';
import { layoutOf } from '../../../src/streams/wire/layout.ts';
import { PATIENT } from '../../support/patience.ts';

export const WEB = serviceId(projectId('shop'), 'web');

/** A directory that is gone when the test is. */
export const temporary = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'sup-logs-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
};

export const specOf = (id: ServiceId = WEB, logs: LogsSpec = { sink: 'file' }): ServiceSpec => ({
  id,
  project: projectOf(id),
  name: nameOf(id),
  kind: 'service',
  schema: 2,
  manifest: '/tmp/sup.yaml',
  directory: '/tmp',
  launch: { tag: 'shell', command: 'true' },
  workingDir: '/tmp',
  dependsOn: [],
  env: { vars: {}, inherit: false, clearSession: true, strip: [] },
  restartPolicy: 'never',
  backoff: { initial: ms(0), max: ms(0), factor: 1, jitter: 0 },
  maxRestarts: 0,
  stopSignal: 'SIGTERM',
  stopTimeout: ms(10_000),
  hooks: {},
  deployment: { strategy: 'immediate', gracePeriod: ms(0) },
  logs,
  skip: false,
  spawn: { mode: 'static', children: 0, depth: 0, descendants: 0, terminationPolicy: 'cascade' },
  privilege: {
    supplementaryGroups: [],
    capabilities: [],
  },
  digest: '',
});

export interface Bench {
  readonly dataDir: string;
  readonly capture: FileCapture;
  readonly troubles: string[];
}

/** A capture that reads nothing any more when the test is over. */
export const captureIn = (dataDir: string, troubles: string[] = []): FileCapture => {
  const capture = fileCapture({
    dataDir,
    defaults: () => ({ maxBytes: 0, maxFiles: 5 }),
    logError: (text) => troubles.push(text),
    libc: libcOfThisMachine(),
  });
  onTestFinished(() => capture.close());
  return capture;
};

export const bench = (): Bench => {
  const dataDir = temporary();
  const troubles: string[] = [];
  return { dataDir, capture: captureIn(dataDir, troubles), troubles };
};

/** Resolves with exit status or signal. */
export type Ended = Promise<number | string>;

/** Starts a child on the outlets the capture gives it. */
export const start = async (
  capture: FileCapture,
  argv: readonly [string, ...string[]],
  spec: ServiceSpec = specOf(),
): Promise<{ pid: number; ended: Ended }> => {
  const outlets = await capture.open(spec);
  const [program, ...args] = argv;
  const child = spawn(program, args, { stdio: ['ignore', outlets.stdout, outlets.stderr] });
  outlets.close();
  const ended: Ended = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      resolve(code ?? signal ?? 'unknown');
    });
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { pid: child.pid ?? 0, ended };
};

export const shell = (script: string): [string, ...string[]] => ['sh', '-c', script];
export const node = (script: string): [string, ...string[]] => [process.execPath, '-e', script];

/** Runs a child to its end and its output into the log. */
export const run = async (
  capture: FileCapture,
  argv: readonly [string, ...string[]],
  spec: ServiceSpec = specOf(),
): Promise<number | string> => {
  const { ended } = await start(capture, argv, spec);
  const status = await ended;
  await lastValueFrom(capture.drained(spec.id), { defaultValue: undefined });
  await capture.flush();
  return status;
};

export const logPath = (dataDir: string, id: ServiceId = WEB): string => layoutOf(dataDir).log(id);

export const logLines = (path: string): string[] => readFileSync(path, 'utf8').split('\n').slice(0, -1);

/** `stdout text` of each line: what is behind the stamp. */
export const unstamped = (path: string): string[] => logLines(path).map((line) => line.slice(28));

/** Settles when `condition` holds. */
export const until = async (condition: () => boolean): Promise<void> => {
  const limit = performance.now() + PATIENT.timeout;
  while (!condition()) {
    if (performance.now() > limit) throw new Error('the awaited condition did not come about');
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
};
