// Programs that use the built client library, each a process of its own.
import { cpSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect } from 'vitest';
import { launch, type Running } from '../support/command.ts';
import { holds } from '../support/eventually.ts';
import { serviceLog } from '../support/logs.ts';
import { fileComes } from '../support/marks.ts';
import { supervisorPid } from '../support/own-death.ts';
import { type Declared, fixture, project, shell, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { killOnlySupervisor } from '../support/supervisors.ts';
import { expectDone, started } from '../support/witnesses.ts';

const DIST = dirname(resolve(process.env['SUP_UNDER_TEST'] ?? 'dist/sup.js'));
const LIBRARY = join(DIST, 'client.js');
const LIMIT_MS = 180_000;
const MIB = 1024 * 1024;

/** Starts a program with these words after `node`. */
const begun = (stage: Stage, ...words: readonly string[]): Running =>
  launch({
    argv: [process.execPath, ...words],
    directory: stage.work,
    environment: { PATH: process.env['PATH'] ?? '', SUP_DATA_DIR: stage.data },
    limit: LIMIT_MS,
    line: `node ${words.join(' ')}`,
  });

/** Resolves to what the program prints. */
const printedBy = async ({ ended }: Running): Promise<string> => {
  const outcome = await ended;
  expectDone(outcome);
  return outcome.stdout;
};

/** Resolves to what the text of a module prints, as JSON. */
const answered = async (stage: Stage, text: string): Promise<unknown> =>
  JSON.parse(await printedBy(begun(stage, '--input-type=module', '--eval', text))) as unknown;

const LAST = 100_000;
const PADDING = 'x'.repeat(180);

/** Prints a line, and when the file `go` exists 100,000 numbered ones of 190 bytes, and then makes the file `printed`. */
const flood = (logs: Declared): Declared =>
  shell(
    `echo ready; until [ -e go ]; do sleep 0.05; done; seq -f "%06.0f ${PADDING}" 1 ${LAST}; touch printed; exec sleep 1000`,
    { logs },
  );

const slowReader = async (stage: Stage): Promise<Readonly<Record<string, unknown>>> => {
  const reader = begun(stage, '--expose-gc', fixture('read-slowly.mjs'), LIBRARY, String(LAST));
  await fileComes(stage, 'printed');
  // Printed lines are on their way to the log for a while, and the files that it has now are all that it ever has.
  await holds('the last line', () => serviceLog(stage, 'shop/web').at(-1)?.includes(` ${LAST} `) === true);
  stage.write('written', '');
  return JSON.parse(await printedBy(reader)) as Readonly<Record<string, unknown>>;
};

scenario(
  'a slow reader of logs gets each of 100,000 lines, and none is kept in its memory',
  async (stage) => {
    await started(stage, project('shop', { web: flood({ max_bytes: '50M', max_files: 2 }) }));
    const told = await slowReader(stage);
    expect(told).toMatchObject({ lines: LAST, inOrder: true, notes: [] });
    // All lines as documents would take more than 40 MiB.
    expect(told['heapGrowth']).toBeLessThan(8 * MIB);
  },
);

scenario('a reader of logs that is too slow is told that lines were rotated away', async (stage) => {
  await started(stage, project('shop', { web: flood({ max_bytes: '100K', max_files: 1, compress: false }) }));
  const told = await slowReader(stage);
  expect(told).toMatchObject({
    inOrder: true,
    notes: ['some lines may have been rotated away before they were read'],
  });
  expect(told['lines']).toBeGreaterThan(0);
  expect(told['lines']).toBeLessThan(LAST);
});

const COUNTING = 'i=0; trap "echo end; exit" TERM; while :; do i=$((i+1)); echo $i; sleep 0.02; done';

scenario(
  'a program sees a supervisor come up later, be killed and be upgraded, and misses no line',
  async (stage) => {
    const program = begun(stage, fixture('watch-library.mjs'), LIBRARY);
    const shows = (text: string): Promise<void> =>
      holds(`the program shows ${text}`, () => program.stdout().includes(text));
    await shows('"running":false,"state":null');
    await started(stage, project('shop', { web: shell(COUNTING, { stop_timeout: '5s' }) }));
    await shows('"running":true,"state":"running"');
    await shows('"measured":1');

    const first = await supervisorPid(stage);
    killOnlySupervisor(stage);
    await holds('another supervisor', async () => (await supervisorPid(stage)) !== first);
    expectDone(await stage.sup('upgrade'));
    expectDone(await stage.sup('stop', 'web'));
    const stdout = await printedBy(program);
    const counted = /"count":(\d+)/.exec(stdout)?.[1];
    expect([Number(counted) > 10, stdout.includes('gap')]).toEqual([true, false]);
  },
);

const OPENED = `const all = Object.keys((await import('node:module')).createRequire('/').cache);
  const parts = all.flatMap((file) => /client\\..*$/.exec(file) ?? []).sort();`;

scenario('the client library loads the reader of manifests when a program needs it', async (stage) => {
  const manifest = stage.declare(project('shop', { web: steady() }));
  const use = `import { connect } from '${LIBRARY}';`;
  expect(await answered(stage, `${use} connect(); ${OPENED} console.log(JSON.stringify(parts));`)).toEqual([
    'client.core.js',
    'client.js',
  ]);
  const config = `await connect().config({ manifest: '${manifest}' });`;
  expect(await answered(stage, `${use} ${config} ${OPENED} console.log(JSON.stringify(parts));`)).toEqual([
    'client.core.js',
    'client.js',
    'client.rest.js',
  ]);
});

scenario('a program whose library was replaced by another version gets ERR0504', async (stage) => {
  const place = join(stage.root, 'copy');
  cpSync(DIST, place, {
    recursive: true,
    filter: (path) => path === DIST || /client|package\.json/.test(path),
  });
  const manifest = stage.declare(project('shop', { web: steady() }));
  const rest = join(place, 'client.rest.js');
  const failing = `import { connect } from '${join(place, 'client.js')}';
    import { writeFileSync } from 'node:fs';
    const sup = connect();
    const codes = [];
    const fails = async (call) => call.then(() => codes.push('none'), ({ document }) => codes.push(document.code, document.message));
    writeFileSync('${rest}', 'module.exports=()=>({build:"other",modules:{}})');
    await fails(sup.config({ manifest: '${manifest}' }));
    await fails(sup.status());
    console.log(JSON.stringify(codes));`;
  const refused = [
    'ERR0504',
    `${rest} does not belong to the program that runs: it was replaced or is damaged`,
  ];
  expect(await answered(stage, failing)).toEqual([...refused, ...refused]);
});
