import { describe, expect, it } from 'vitest';
import { lateRequire } from '../../../src/supervisor/loader/run-program.ts';

const listening = (): { readonly loaded: string[]; readonly require: ReturnType<typeof lateRequire> } => {
  const loaded: string[] = [];
  const require = lateRequire((name) => {
    loaded.push(name);
    return { name };
  });
  return { loaded, require };
};

describe('a late require', () => {
  it('a late require loads heavy modules of Node on first access', () => {
    const { loaded, require } = listening();
    const [tls, http] = [require('tls'), require('node:http')];
    expect(loaded).toEqual([]);
    expect(Reflect.get(http, 'name')).toBe('node:http');
    expect(loaded).toEqual(['node:http']);
    expect(Reflect.get(tls, 'name')).toBe('tls');
  });

  it('a late require loads all of them when they are copied', () => {
    const { require } = listening();
    expect({ ...require('crypto') }).toEqual({ name: 'crypto' });
    expect('name' in require('zlib')).toBe(true);
  });

  it('a late require gives functions of crypto that load it when they are called', () => {
    const loaded: string[] = [];
    const require = lateRequire((name) => {
      loaded.push(name);
      return { randomBytes: (length: number) => `${length} bytes` };
    });
    const { randomBytes } = require('crypto') as { readonly randomBytes: (length: number) => string };
    expect(loaded).toEqual([]);
    expect(randomBytes(4)).toBe('4 bytes');
    expect(loaded).toEqual(['crypto']);
  });

  it('a late require does not load http for members that its caller can do without', () => {
    const { loaded, require } = listening();
    expect(Reflect.get(require('http'), 'websocketMask')).toBe(undefined);
    expect(loaded).toEqual([]);
  });

  it('a late require loads all other modules at once', () => {
    const { loaded, require } = listening();
    require('node:fs');
    require('ffi-napi/package.json');
    expect(loaded).toEqual(['node:fs', 'ffi-napi/package.json']);
  });
});
