import { describe, expect, it } from 'vitest';
import { cFunction, errnoName, openLibc, Refused } from '../../src/os/libc.ts';
import { libcOfThisMachine } from './support.ts';

const GETPID = cFunction('int', 'getpid');
const DUP = cFunction('int', 'dup', 'int');

describe('libc', () => {
  it('calls a function of the C library', () => {
    expect(libcOfThisMachine().call(GETPID)).toBe(process.pid);
  });

  it('says what errno was when a call is refused', () => {
    const call = (): number => libcOfThisMachine().call(DUP, -1);
    expect(call).toThrow(Refused);
    expect(call).toThrow('dup: EBADF');
    expect(libcOfThisMachine().ask(DUP, -1)).toEqual({ value: -1, errno: 9 });
  });

  it('is an answer where the package is missing', () => {
    const missing = (): never => {
      throw new Error("Cannot find module 'ffi-napi'\nRequire stack:\n- somewhere");
    };
    expect(openLibc(missing)).toEqual({ tag: 'absent', detail: "Cannot find module 'ffi-napi'" });
  });

  it('names numbers of errno', () => {
    expect([errnoName(1), errnoName(22), errnoName(0)]).toEqual(['EPERM', 'EINVAL', 'errno 0']);
    // Node has no name for these two.
    expect([errnoName(8), errnoName(9999)]).toEqual(['ENOEXEC', 'errno 9999']);
  });
});
