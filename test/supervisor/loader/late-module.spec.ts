import { runInThisContext } from 'node:vm';
import { expect, it } from 'vitest';

interface Bundled {
  readonly text: string;
  readonly inputs: Readonly<Record<string, object>>;
}
interface Expressions {
  readonly use: (path: string) => string;
  readonly load: (path: string) => string;
}
interface Script {
  readonly lateModule: (output: Bundled) => Promise<(expressions: Expressions) => { readonly text: string }>;
}

const { lateModule } = (await import(
  new URL('../../../scripts/late-module.js', import.meta.url).href
)) as Script;

/** The exports of a module, and which modules were asked for. */
const evaluated = async (
  text: string,
  others: Readonly<Record<string, unknown>> = {},
  file = 'src/a.ts',
): Promise<{ readonly exports: Record<string, unknown>; readonly asked: readonly string[] }> => {
  const textWith = await lateModule({ text, inputs: { [file]: {} } });
  const late = textWith({ use: (path) => `use("${path}")`, load: (path) => `use("load ${path}")` });
  const asked: string[] = [];
  const use = (path: string): unknown => {
    asked.push(path);
    return others[path];
  };
  const make = runInThisContext(`use=>${late.text}`) as (given: typeof use) => () => never;
  return { exports: make(use)(), asked };
};

const call = (exported: unknown): unknown => (exported as () => unknown)();

it('a late module asks for what it imports only when it uses it', async () => {
  const text = 'import{plus as add}from"./b.js";import"./c.js";var sum=()=>add(1,2);export{sum as total};';
  const { exports, asked } = await evaluated(text, { './b.js': { plus: (a: number, b: number) => a + b } });
  expect(asked).toEqual([]);
  expect(call(exports['total'])).toBe(3);
  expect(asked).toEqual(['./b.js']);
});

it('a late module makes instances of classes that it imports', async () => {
  const text = 'import{Told}from"./b.js";var make=()=>new Told("x").text;export{make};';
  class Told {
    readonly text: string;
    constructor(text: string) {
      this.text = text;
    }
  }
  expect(call((await evaluated(text, { './b.js': { Told } })).exports['make'])).toBe('x');
});

it('a late module loads another one, and passes on the exports of another one', async () => {
  const text = 'import{a}from"./b.js";var load=async()=>(await import("./d.js")).it;export{a,load};';
  const { exports, asked } = await evaluated(text, { './b.js': { a: 1 }, 'load d.js': { it: 'loaded' } });
  expect(exports['a']).toBe(1);
  expect(asked).toEqual(['./b.js']);
  expect(await call(exports['load'])).toBe('loaded');
});

it('a late module of a package has exports that change, and a default export', async () => {
  const text = 'var count=0,more=()=>count+=1;export{count,more};';
  const { exports } = await evaluated(text, {}, 'node_modules/p/p.js');
  call(exports['more']);
  expect(exports['count']).toBe(1);
  expect((await evaluated('var f=()=>7;export default f();')).exports['default']).toBe(7);
});

it('modules are numbered in the order of their texts, whatever takes longer to transform', async () => {
  const numbered: string[] = [];
  const use = (path: string): string => `n${numbered.push(path)}`;
  const importing = (path: string, length: number): string =>
    `import{a}from"${path}";var b=()=>a;${'b();'.repeat(length)}export{b};`;
  const texts = [importing('./long.js', 100_000), importing('./short.js', 1)];
  const transformed = await Promise.all(
    texts.map((text) => lateModule({ text, inputs: { 'src/a.ts': {} } })),
  );
  for (const textWith of transformed) textWith({ use, load: use });
  expect(numbered).toEqual(['./long.js', './short.js']);
});
