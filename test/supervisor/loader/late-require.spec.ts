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

  it('a late require loads all other modules at once', () => {
    const { loaded, require } = listening();
    require('node:fs');
    require('ffi-napi/package.json');
    expect(loaded).toEqual(['node:fs', 'ffi-napi/package.json']);
  });
});
