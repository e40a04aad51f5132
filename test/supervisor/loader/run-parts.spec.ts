import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { runParts } from '../../../src/supervisor/loader/run-parts.ts';
import { FileRefused } from '../../../src/supervisor/loader/run-program.ts';

const SAID = Symbol.for('test.parts');
const textOf = (build: string, modules: string): string =>
  `(function(require,{codeCache:cache}){return {build:'${build}',modules:{${modules}}}})`;
const said = (words: string): string => `globalThis[Symbol.for('test.parts')].push(${words})`;

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'sup-parts-'));
  onTestFinished(() => rmSync(place, { recursive: true }));
  Reflect.set(globalThis, SAID, []);
  onTestFinished(() => void Reflect.deleteProperty(globalThis, SAID));
});

const write = (part: string, text: string): void => writeFileSync(join(place, `p.${part}.js`), text);
const run = (): unknown => {
  runParts(join(place, 'p.js'), 'b1', (name) => ({ name }));
  return Reflect.get(globalThis, SAID);
};

const MAIN = `'./core/main':()=>{const other=require('./rest/1');${said('other.word,require("path").name')}}`;

describe('running a program of parts', () => {
  it('a program in parts reads a part when a module of it is needed', () => {
    write('core', textOf('b1', `'./core/main':()=>{${said('cache')}}`));
    expect(run()).toEqual(['absent']);
    write('core', textOf('b1', MAIN));
    write('rest', textOf('b1', `'./rest/1':()=>({word:'here'})`));
    expect(run()).toEqual(['absent', 'here', 'path']);
  });

  it('a program in parts refuses a part that is of another build, missing or damaged', () => {
    write('core', textOf('b1', MAIN));
    expect(run).toThrow(new FileRefused(join(place, 'p.rest.js')));
    write('rest', textOf('b2', `'./rest/1':()=>({word:'here'})`));
    expect(run).toThrow(new FileRefused(join(place, 'p.rest.js')));
    write('rest', textOf('b1', `'./rest/1':()=>({word:'here'})`).slice(0, -20));
    expect(run).toThrow(new FileRefused(join(place, 'p.rest.js')));
    expect(Reflect.get(globalThis, SAID)).toEqual([]);
  });
});
