// Needs the native addon.
import { mkdtempSync, openSync, readFileSync, readlinkSync, rmSync, closeSync, readdirSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { rlimitTagFor, rlimitTagOf } from '../../../src/os/children/rlimit-tag.ts';
import { statOf } from '../../../src/os/proc/process-stat.ts';
import {
  startLaunched,
  type LaunchedChild,
  type LaunchRequest,
} from '../../../src/sinks/privilege/launch-process.ts';
import { LaunchRefused, NotLaunched, ProgramRefused } from '../../../src/sinks/privilege/launch-reports.ts';
import { startTemplate, type Template } from '../../../src/sinks/privilege/start-launcher.ts';
import type { PlannedStep } from '../../../src/streams/launch/launch-step.ts';
import { kin } from '../../fixtures/processes/world.ts';

const programs = mkdtempSync(join(tmpdir(), 'sup-template-'));
const launcher = join(programs, 'launcher.cjs');

beforeAll(async () => {
  await build({
    entryPoints: [resolve('src/sinks/privilege/launcher/launcher-main.ts')],
    outfile: launcher,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    define: { 'import.meta.url': '__main', 'import.meta.dirname': '__dirname' },
    // What it needs of packages is found from here, not from where it lies.
    banner: { js: `const __main = ${JSON.stringify(resolve('package.json'))};` },
    logLevel: 'error',
  });
});
afterAll(() => rmSync(programs, { recursive: true }));

const MARKS = { SUP_UNIT: 'shop/web#7', SUP_SUPERVISOR: '/nowhere' };
const output = { stdout: -1, stderr: -1 };
let template: Template;
beforeEach(() => {
  output.stdout = output.stderr = openSync(join(programs, 'output'), 'w');
  template = startTemplate(kin()!, launcher);
});
afterEach(() => {
  closeSync(output.stdout);
  template.kill();
});

const said = (): string => readFileSync(join(programs, 'output'), 'utf8');

const request = (argv: readonly string[], more: Partial<LaunchRequest> = {}): LaunchRequest => ({
  launcher,
  orders: [{ steps: [], program: { argv, environment: { PATH: '/usr/bin:/bin', OWN: 'own' } } }],
  environment: MARKS,
  output,
  descriptors: [],
  ...more,
});

const launched = (...[argv, more]: Parameters<typeof request>): Promise<LaunchedChild> =>
  startLaunched(request(argv, more), template.begin, () => Promise.resolve({ tag: 'unknown' }));

const withSteps = (argv: readonly string[], ...steps: readonly PlannedStep[]): LaunchRequest =>
  request(argv, { orders: [{ steps, program: { argv, environment: {} } }] });

const NICE: PlannedStep = { tag: 'nice', value: 19, key: 'limits.nice', mayRefuse: [] };

/** The template is the one child of ours that runs it. */
const templates = (): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`${launcher}\0template`);
      } catch {
        return false;
      }
    });

describe('a copy of a template', () => {
  it('a copy of a template becomes the program as our child and session leader, and its exit is seen', async () => {
    const { process: ref, exit } = await launched(['sh', '-c', 'echo $$ $OWN; exec sleep 1000']);
    await expect.poll(said).toBe(`${ref.pid} own\n`);
    expect(statOf(ref.pid)).toMatchObject({ parent: process.pid, session: ref.pid, group: ref.pid, ...ref });
    expect(rlimitTagOf(ref.pid)).toBe(rlimitTagFor(MARKS.SUP_SUPERVISOR, MARKS.SUP_UNIT));
    process.kill(ref.pid, 'SIGTERM');
    expect(await exit).toEqual({ tag: 'signal', signal: 'SIGTERM' });
  });

  it('a copy of a template has only its descriptors, and default signals', async () => {
    const given = openSync('/dev/zero', 'r');
    // `exec`: a shell that waits for a child may have signals blocked of its own accord.
    const script =
      'for f in 0 1 2 3 4 5 6 7 8 9; do readlink /proc/$$/fd/$f; done; echo $LISTEN_PID $$; exec grep Sig[BI] /proc/self/status';
    const { exit } = await launched(['sh', '-c', script], { descriptors: [given] });
    closeSync(given);
    expect(await exit).toEqual({ tag: 'code', code: 0 });
    const file = join(programs, 'output');
    const [zero, one, two, three, listening = '', ...signals] = said().trim().split('\n');
    expect([zero, one, two, three]).toEqual(['/dev/null', file, file, '/dev/zero']);
    const [told, own] = listening.split(' ');
    expect(told).toBe(own);
    expect(signals.map((line) => Number.parseInt(line.split('\t')[1] ?? '', 16))).toEqual([0, 0]);
  });

  it('a copy of a template applies its plan to itself only', async () => {
    const [{ process: nice }, { process: plain }] = await Promise.all([
      startLaunched(withSteps(['/bin/sleep', '1000'], NICE), template.begin, () =>
        Promise.resolve({ tag: 'unknown' }),
      ),
      launched(['sleep', '1000']),
    ]);
    const niceOf = (pid: number): string | undefined =>
      readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[16];
    expect([niceOf(nice.pid), niceOf(plain.pid)]).toEqual(['19', String(getPriority())]);
    for (const { pid } of [nice, plain]) process.kill(pid, 'SIGKILL');
  });

  it('a copy of a template runs nothing once a step is refused and names it, and reports a program that cannot be executed', async () => {
    const nowhere: PlannedStep = { tag: 'directory', path: '/no/where', key: 'working_dir', mayRefuse: [] };
    const refused = startLaunched(withSteps(['/bin/echo', 'ran'], NICE, nowhere), template.begin, () =>
      Promise.resolve({ tag: 'unknown' }),
    );
    await expect(refused).rejects.toThrow(LaunchRefused);
    await expect(refused).rejects.toMatchObject({ refusal: { key: 'working_dir' } });
    await expect(launched(['/no/such'])).rejects.toEqual(new ProgramRefused('ENOENT'));
    expect(said()).toBe('');
  });

  it('a copy of a template shows the marks of its run until it becomes the program', async () => {
    const { pid, channel, exit } = await template.begin(request(['true']));
    const shown = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
    expect(shown).toEqual(Object.entries(MARKS).map(([name, value]) => `${name}=${value}`));
    channel.destroy();
    // No process is left that could send it orders.
    expect(await exit).toEqual({ tag: 'code', code: 127 });
  });
});

describe('a template', () => {
  it('a template ends with its socket after it has started all, and is no parent of its copies', async () => {
    const last = launched(['sleep', '1000']);
    template.closeSocket();
    const { process: ref } = await last;
    await expect.poll(templates).toEqual([]);
    await expect(launched(['true'])).rejects.toThrow('let go');
    expect(readlinkSync(`/proc/${ref.pid}/exe`)).toMatch(/\/(sleep|coreutils|busybox)$/);
    process.kill(ref.pid, 'SIGKILL');
  });

  it('a killed template starts nothing, and waiting launches are told', async () => {
    await expect.poll(templates).toHaveLength(1);
    const [pid = 0] = templates();
    process.kill(pid, 'SIGSTOP');
    const waiting = launched(['sh', '-c', 'echo ran']);
    process.kill(pid, 'SIGKILL');
    await expect(waiting).rejects.toThrow(NotLaunched);
    await expect(launched(['sh', '-c', 'echo ran'])).rejects.toThrow(NotLaunched);
    expect(said()).toBe('');
  });

  it('a template makes hundreds of copies in a row', async () => {
    for (let round = 0; round < 25; round += 1) {
      const ends = await Promise.all(
        Array.from({ length: 8 }, async (_, at) => (await launched(['sh', '-c', `exit ${at}`])).exit),
      );
      expect(ends).toEqual(Array.from({ length: 8 }, (_, code) => ({ tag: 'code', code })));
    }
  });
});
