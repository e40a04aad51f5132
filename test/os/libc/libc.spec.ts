// Needs the native addon.
import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cFunction, openLibc, Refused } from '../../../src/os/libc/libc.ts';
import { errnoName } from '../../../src/os/errno.ts';
import { libcOfThisMachine } from '../support.ts';

const GETPID = cFunction('int', 'getpid');
const DUP = cFunction('int', 'dup', 'int');

describe('calling the C library', () => {
  it('a function of the C library is called', () => {
    expect(libcOfThisMachine().call(GETPID)).toBe(process.pid);
  });

  it('arguments and results of every size are passed', () => {
    const libc = libcOfThisMachine();
    expect(libc.call(cFunction('long', 'labs', 'long'), -(2 ** 40))).toBe(2 ** 40);
    expect(libc.call(cFunction('int', 'abs', 'int'), -7)).toBe(7);
    const text = Buffer.from('twelve bytes\0');
    expect(libc.call(cFunction('long', 'strlen', 'pointer'), text)).toBe(12);
    expect(libc.call(cFunction('long', 'strnlen', 'pointer', 'ulong'), text, 3)).toBe(3);
  });

  it('missing functions are reported', () => {
    const libc = libcOfThisMachine();
    expect([libc.has('getpid'), libc.has('no_such_function')]).toEqual([true, false]);
    expect(() => libc.call(cFunction('int', 'no_such_function'))).toThrow('no no_such_function');
  });

  it('a refused call reports errno', () => {
    const call = (): number => libcOfThisMachine().call(DUP, -1);
    expect(call).toThrow(Refused);
    expect(call).toThrow('dup: EBADF');
    expect(libcOfThisMachine().ask(DUP, -1)).toEqual({ value: -1, errno: 9 });
  });

  it('the library is found through an unresolved link', () => {
    const place = mkdtempSync(join(tmpdir(), 'sup-libc-'));
    onTestFinished(() => rmSync(place, { recursive: true }));
    const link = join(place, 'ffi-napi');
    symlinkSync(realpathSync('node_modules/ffi-napi'), link);
    const resolve = (name: string): string => join(link, name.replace('ffi-napi/', ''));
    expect(openLibc({ resolve })).toMatchObject({ tag: 'open', origin: { kind: 'compiled' } });
  });

  it('a missing package is reported', () => {
    const missing = (): never => {
      throw new Error("Cannot find module 'ffi-napi'\nRequire stack:\n- somewhere");
    };
    expect(openLibc({ resolve: missing })).toEqual({
      tag: 'absent',
      detail: "Cannot find module 'ffi-napi'",
    });
  });

  it('the library can be opened repeatedly', async () => {
    for (let time = 0; time < 3; time += 1) expect(await libcOfThisMachine().askLater(DUP, -1)).toBe(-1);
  });

  it('errno numbers have names', () => {
    expect([errnoName(1), errnoName(22), errnoName(0)]).toEqual(['EPERM', 'EINVAL', 'errno 0']);
    // Node has no name for these two.
    expect([errnoName(8), errnoName(9999)]).toEqual(['ENOEXEC', 'errno 9999']);
  });
});
