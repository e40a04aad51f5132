import { lstatSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fifoMaker } from '../../../../src/sinks/logs/fifo/make-fifos.ts';
import { temporary } from '../harness.ts';

describe('making FIFOs', () => {
  it('FIFOs of a thousand services are made at once', async () => {
    const dir = temporary();
    const make = fifoMaker(() => undefined);
    const wanted = Array.from({ length: 1000 }, (_, at) =>
      ['stdout', 'stderr'].map((stream) => `${dir}/run/s${String(at)}.${stream}`),
    );
    await Promise.all(wanted.map((paths) => make(paths)));
    expect(wanted.flat().every((path) => lstatSync(path).isFIFO())).toBe(true);
  });

  it('existing FIFOs are left as they are', async () => {
    const path = `${temporary()}/fifo`;
    const make = fifoMaker(() => undefined);
    await make([path]);
    const { ino } = lstatSync(path);
    await make([path, path]);
    expect(lstatSync(path).ino).toBe(ino);
  });

  it('a FIFO that cannot be made fails only its own service', async () => {
    const dir = temporary();
    const make = fifoMaker(() => undefined);
    writeFileSync(`${dir}/file`, '');
    const outcomes = await Promise.allSettled([make([`${dir}/${'x'.repeat(300)}`]), make([`${dir}/good`])]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });
});
