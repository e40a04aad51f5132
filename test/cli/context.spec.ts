import { describe, expect, it } from 'vitest';
import { contextOf } from '../../src/cli/context.ts';
import { dataDirOf } from '../../src/os/choose-data-directory.ts';
import { Failure } from '../../src/streams/views/errors/command-failure.ts';
import { contextIn, fakeWorld } from './support/fake-world.ts';

describe('the data directory', () => {
  const at = { sys: false, directory: '/work' };

  it.each([
    ['SUP_DATA_DIR', { SUP_DATA_DIR: '/d', XDG_DATA_HOME: '/x', HOME: '/h' }, '/d'],
    ['a relative SUP_DATA_DIR', { SUP_DATA_DIR: 'd' }, '/work/d'],
    ['XDG_DATA_HOME', { XDG_DATA_HOME: '/x', HOME: '/h' }, '/x/sup'],
    ['no relative XDG_DATA_HOME', { XDG_DATA_HOME: 'x', HOME: '/h' }, '/h/.local/share/sup'],
    ['no empty variable', { SUP_DATA_DIR: '', XDG_DATA_HOME: '', HOME: '/h' }, '/h/.local/share/sup'],
  ])('the data directory comes from %s', (_what, environment, expected) => {
    expect(dataDirOf(environment, at)).toBe(expected);
  });

  it('the data directory is the system-wide one with --sys', () => {
    expect(dataDirOf({ XDG_DATA_HOME: '/x', HOME: '/root' }, { ...at, sys: true })).toBe('/var/lib/sup');
  });
});

describe('the context of a command', () => {
  it('--sys is refused to any user but root', () => {
    const { world } = fakeWorld({ uid: 1000 });
    const make = (): unknown => contextOf(new Set(['sys']), world);
    expect(make).toThrow(Failure);
    expect(make).toThrow(/ERR0704/);
    expect(contextOf(new Set(['sys']), fakeWorld({ uid: 0 }).world).dataDir).toBe('/var/lib/sup');
  });

  it('a command has colours on a terminal only, and not if they are switched off', () => {
    const terminal = { columns: 80, rows: 24 };
    const colored = (environment: Record<string, string>, ...flags: 'no-color'[]): boolean => {
      const context = contextIn(fakeWorld({ terminal, environment }), ...flags);
      return context.colorOn(context.world.stdout);
    };
    expect(colored({})).toBe(true);
    expect(colored({ NO_COLOR: '' })).toBe(true);
    expect(colored({ NO_COLOR: '1' })).toBe(false);
    expect(colored({ TERM: 'dumb' })).toBe(false);
    expect(colored({}, 'no-color')).toBe(false);
    const piped = contextIn(fakeWorld());
    expect(piped.colorOn(piped.world.stdout)).toBe(false);
  });
});
