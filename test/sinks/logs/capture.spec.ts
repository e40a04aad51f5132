// Needs the native addon.
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { lastValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { fileCapture } from '../../../src/sinks/logs/capture.ts';
import type { FileCapture } from '../../../src/sinks/logs/capture-ports.ts';
import { projectId, serviceId } from '../../../src/streams/domain/ids.ts';
import { layoutOf } from '../../../src/streams/wire/layout.ts';
import { libcOfThisMachine } from '../../os/support.ts';
import {
  bench,
  captureIn,
  logLines,
  logPath,
  node,
  run,
  shell,
  specOf,
  start,
  temporary,
  unstamped,
  until,
  WEB,
} from './harness.ts';

describe('capture', () => {
  it('each line is written with its time and its stream', async () => {
    const { dataDir, capture } = bench();
    expect(await run(capture, shell('echo one; echo two >&2'))).toBe(0);
    const [one, two] = logLines(logPath(dataDir)).sort((a, b) => a.slice(28).localeCompare(b.slice(28)));
    expect(two).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z stdout one$/);
    expect(one).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z stderr two$/);
  });

  it('an unterminated last line gets its newline', async () => {
    const { dataDir, capture } = bench();
    await run(capture, shell('printf "a\\nb"'));
    expect(unstamped(logPath(dataDir))).toEqual(['stdout a', 'stdout b']);
  });

  it('bytes that are not UTF-8 are kept', async () => {
    const { dataDir, capture } = bench();
    await run(capture, shell("printf '\\377\\376\\n'"));
    expect(readFileSync(logPath(dataDir)).subarray(-3)).toEqual(Buffer.from([0xff, 0xfe, 10]));
  });

  it('lines are never torn when both streams write at once', async () => {
    const { dataDir, capture } = bench();
    const script =
      'for (let n = 0; n < 20000; n++) { fs.writeSync(1, `o${n}-`.repeat(20) + "\\n"); fs.writeSync(2, `e${n}-`.repeat(20) + "\\n") }';
    await run(capture, node(script));
    const lines = unstamped(logPath(dataDir));
    const expected = (stream: string, letter: string): string[] =>
      Array.from({ length: 20_000 }, (_, n) => `${stream} ${`${letter}${String(n)}-`.repeat(20)}`);
    expect(lines.filter((line) => line.startsWith('stdout'))).toEqual(expected('stdout', 'o'));
    expect(lines.filter((line) => line.startsWith('stderr'))).toEqual(expected('stderr', 'e'));
  });

  it('the child can open /dev/stdout again', async () => {
    const { dataDir, capture } = bench();
    expect(
      await run(capture, shell('echo a > /dev/stdout; echo b > /dev/stderr; echo c > /proc/self/fd/1')),
    ).toBe(0);
    expect(unstamped(logPath(dataDir)).sort()).toEqual(['stderr b', 'stdout a', 'stdout c']);
  });

  it('drained settles only when background processes have closed the streams too', async () => {
    const { dataDir, capture } = bench();
    const { ended } = await start(capture, shell('echo early; (sleep 0.3; echo late) &'));
    await ended;
    await lastValueFrom(capture.drained(WEB), { defaultValue: undefined });
    expect(unstamped(logPath(dataDir))).toEqual(['stdout early', 'stdout late']);
  });

  it('lines of a process that survives its run are kept beside those of the next run', async () => {
    const { dataDir, capture } = bench();
    const first = await start(
      capture,
      shell('(for n in 1 2 3 4 5; do echo left $n; sleep 0.05; done) & echo first'),
    );
    await first.ended;
    for (const name of ['second', 'third']) await (await start(capture, shell(`echo ${name}`))).ended;
    await lastValueFrom(capture.drained(WEB), { defaultValue: undefined });
    expect(unstamped(logPath(dataDir)).sort()).toEqual(
      ['first', 'left 1', 'left 2', 'left 3', 'left 4', 'left 5', 'second', 'third'].map(
        (text) => `stdout ${text}`,
      ),
    );
  });

  it('the unfinished line of a run is ended before the next run begins', async () => {
    const { dataDir, capture } = bench();
    for (const word of ['a', 'b', 'c']) await (await start(capture, shell(`printf ${word}`))).ended;
    await lastValueFrom(capture.drained(WEB), { defaultValue: undefined });
    expect(unstamped(logPath(dataDir))).toEqual(['stdout a', 'stdout b', 'stdout c']);
  });

  it('the unfinished line of a run is ended although another process keeps the FIFO open', async () => {
    const { dataDir, capture } = bench();
    const spec = specOf();
    const last = await capture.open(spec, 0);
    const other = openSync(layoutOf(dataDir).fifo(WEB, 'stdout', 0), 'r+');
    writeSync(last.stdout, 'whole\nhalf');
    last.close();
    const next = await capture.open(spec, 0);
    writeSync(next.stdout, 'another\n');
    next.close();
    closeSync(other);
    await lastValueFrom(capture.drained(WEB), { defaultValue: undefined });
    expect(unstamped(logPath(dataDir))).toEqual(['stdout whole', 'stdout half', 'stdout another']);
    expect(capture.tail(WEB, 9)).toEqual(['another']);
  });

  it('the unfinished line that a dead supervisor left is ended without an adoption', async () => {
    const { dataDir, capture } = bench();
    const last = await capture.open(specOf(), 0);
    const kept = openSync(layoutOf(dataDir).fifo(WEB, 'stdout', 0), 'r+');
    await capture.close();
    writeSync(last.stdout, 'whole\nhalf');
    last.close();
    const following = captureIn(dataDir);
    const next = await following.open(specOf(), 0);
    writeSync(next.stdout, 'another\n');
    next.close();
    closeSync(kept);
    await lastValueFrom(following.drained(WEB), { defaultValue: undefined });
    expect(unstamped(logPath(dataDir))).toEqual(['stdout whole', 'stdout half', 'stdout another']);
  });

  it('the last lines are those of the present run, without their times', async () => {
    const { capture } = bench();
    await run(capture, shell('echo old'));
    await run(capture, node('for (let n = 0; n < 50; n++) console.log(`line ${n}`)'));
    expect(capture.tail(WEB, 3)).toEqual(['line 47', 'line 48', 'line 49']);
    expect(capture.tail(WEB, 1000)).toHaveLength(40);
    expect(capture.tail(serviceId(projectId('shop'), 'other'), 3)).toEqual([]);
  });

  it('with sink none there is no log, and the last lines are kept', async () => {
    const { dataDir, capture } = bench();
    expect(await run(capture, shell('echo one; echo two >&2'), specOf(WEB, { sink: 'none' }))).toBe(0);
    expect(existsSync(logPath(dataDir))).toBe(false);
    expect(capture.tail(WEB, 9)).toEqual(['one', 'two']);
  });

  it('with sink none the last lines of a flood are kept', async () => {
    const { capture } = bench();
    const flood = node('for (let n = 0; n < 200000; n++) fs.writeSync(1, `line ${n}\\n`)');
    expect(await run(capture, flood, specOf(WEB, { sink: 'none' }))).toBe(0);
    expect(capture.tail(WEB, 99)).toEqual(Array.from({ length: 40 }, (_, at) => `line ${199_960 + at}`));
  });

  it('a log is written from the first run whose sink is file again', async () => {
    const { dataDir, capture } = bench();
    await run(capture, shell('echo dropped'), specOf(WEB, { sink: 'none' }));
    await run(capture, shell('echo kept'));
    expect(unstamped(logPath(dataDir))).toEqual(['stdout kept']);
  });

  it('output of hooks goes to the log as its own stream, and not into the evidence', async () => {
    const { dataDir, capture } = bench();
    const outlets = await capture.openHook(specOf());
    const { spawnSync } = await import('node:child_process');
    spawnSync('sh', ['-c', 'echo out; echo err >&2'], { stdio: ['ignore', outlets.stdout, outlets.stderr] });
    outlets.close();
    await until(() => existsSync(logPath(dataDir)) && logLines(logPath(dataDir)).length === 2);
    expect(unstamped(logPath(dataDir))).toEqual(['hook out', 'hook err']);
    expect(capture.tail(WEB, 5)).toEqual([]);
  });

  it('a file in place of a FIFO is set aside with a warning', async () => {
    const { dataDir, capture, troubles } = bench();
    const fifo = layoutOf(dataDir).fifo(WEB, 'stdout');
    mkdirSync(dirname(fifo), { recursive: true });
    writeFileSync(fifo, 'precious');
    await run(capture, shell('echo one'));
    expect(lstatSync(fifo).isFIFO()).toBe(true);
    expect(unstamped(logPath(dataDir))).toEqual(['stdout one']);
    const kept = readdirSync(dirname(fifo)).find((name) => name.endsWith('.aside'));
    expect(readFileSync(`${dirname(fifo)}/${String(kept)}`, 'utf8')).toBe('precious');
    expect(troubles).toHaveLength(1);
  });

  it('FIFOs and logs are accessible to their owner only', async () => {
    const { dataDir, capture } = bench();
    await run(capture, shell('echo one'));
    const layout = layoutOf(dataDir);
    expect(lstatSync(layout.fifo(WEB, 'stdout')).mode & 0o777).toBe(0o600);
    expect(lstatSync(layout.log(WEB)).mode & 0o777).toBe(0o600);
    expect(lstatSync(layout.logDir(projectId('shop'))).mode & 0o777).toBe(0o700);
  });

  it('opening fails if the FIFOs cannot be created', async () => {
    const { dataDir } = bench();
    writeFileSync(`${dataDir}/projects`, '');
    await expect(captureIn(dataDir).open(specOf())).rejects.toThrow(/ENOTDIR|EEXIST/);
  });
});

describe('adopting output', () => {
  const counter = (count: number): [string, ...string[]] =>
    node(
      `let n = 0; const more = () => { fs.writeSync(1, ++n + "\\n"); if (n < ${String(count)}) setTimeout(more, n % 10 === 0 ? 1 : 0) }; more()`,
    );

  it('an adopted stream is read from where the last reader stopped, without a lost or doubled line', async () => {
    const { dataDir, capture } = bench();
    const { ended } = await start(capture, counter(1500));
    let present = capture;
    for (let times = 1; times <= 4; times += 1) {
      await until(() => existsSync(logPath(dataDir)) && logLines(logPath(dataDir)).length > times * 200);
      await present.close();
      present = captureIn(dataDir);
      present.adopt(specOf());
    }
    expect(await ended).toBe(0);
    await lastValueFrom(present.drained(WEB), { defaultValue: undefined });
    await present.flush();
    expect(unstamped(logPath(dataDir))).toEqual(
      Array.from({ length: 1500 }, (_, n) => `stdout ${String(n + 1)}`),
    );
  });

  it('an adopted stream is reported as read once everything is, and as unfinished by the next reader', async () => {
    const { dataDir, capture } = bench();
    const go = `${dataDir}/go`;
    const { ended } = await start(capture, shell(`printf half; until [ -e ${go} ]; do sleep 0.01; done`));
    expect(capture.reading()).toEqual([WEB]);
    const next = captureIn(dataDir);
    expect([...next.inHand()]).toEqual([WEB]);
    writeFileSync(go, '');
    await ended;
    await lastValueFrom(capture.drained(WEB), { defaultValue: undefined });
    expect(capture.reading()).toEqual([]);
  });

  it('the child gets no SIGPIPE or EPIPE while no supervisor reads', async () => {
    const { dataDir, capture } = bench();
    const go = `${dataDir}/go`;
    const script = `until [ -e ${go} ]; do sleep 0.01; done; echo alone; echo still; exit 7`;
    const { ended } = await start(capture, shell(script));
    await capture.close();
    writeFileSync(go, '');
    expect(await ended).toBe(7);
  });

  it.each([
    ['in the buffer', libcOfThisMachine(), ['stdout whole']],
    ['in the log as a part, where nothing is mapped', undefined, ['stdout whole', 'stdout+ ha']],
  ])('a line that the last reader left %s is continued', async (_, libc, left) => {
    const dataDir = temporary();
    const lives = (): FileCapture =>
      fileCapture({ dataDir, defaults: () => ({ maxBytes: 0, maxFiles: 5 }), libc });
    const before = lives();
    const outlets = await before.open(specOf());
    writeSync(outlets.stdout, 'whole\nha');
    await until(() => existsSync(logPath(dataDir)));
    await before.leave();
    expect(unstamped(logPath(dataDir))).toEqual(left);
    const next = lives();
    next.adopt(specOf());
    writeSync(outlets.stdout, 'lf\n');
    outlets.close();
    await lastValueFrom(next.drained(WEB), { defaultValue: undefined });
    await next.close();
    const printed = unstamped(logPath(dataDir)).join('\n');
    expect(printed.replace('+ ha\nstdout ', ' ha')).toBe('stdout whole\nstdout half');
    expect(existsSync(layoutOf(dataDir).output)).toBe(false);
  });

  it('an adopted stream is drained at once when the service has closed it', async () => {
    const { capture, dataDir } = bench();
    await run(capture, shell('echo one'));
    await capture.close();
    const next = captureIn(dataDir);
    next.adopt(specOf());
    await lastValueFrom(next.drained(WEB), { defaultValue: undefined });
    expect(unstamped(logPath(dataDir))).toEqual(['stdout one']);
  });
});
