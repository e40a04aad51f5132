import { describe, expect, it } from 'vitest';
import type { WatchSpec } from '../../../../src/streams/domain/declared/spec.ts';
import { ms } from '../../../../src/streams/domain/time.ts';
import { allWatchesOf } from '../../../../src/streams/rollout/rollout-watches.ts';
import { kernel, type Kernel } from '../../../support/kernel.ts';
import { idOf, specOf } from '../../../support/spec.ts';
import { runId } from '../../../../src/streams/domain/ids.ts';

const watchBy = (action: string): { readonly watch: WatchSpec } => ({
  watch: { paths: ['/app/src'], debounce: ms(300), action },
});

/** The file changes, and then does not change for `debounce`. */
const change = (world: Kernel, ...names: readonly string[]): void => changeFor(300, world, names);

/** The file changes. The timer ends when the wall clock has advanced by `passed` milliseconds. */
const changeFor = (passed: number, world: Kernel, names: readonly string[]): void => {
  for (const name of names) world.post({ type: 'changed', service: idOf(name), file: 'src/app.js' });
  world.pass(passed);
  for (const name of names)
    world.post({
      type: 'elapsed',
      service: idOf(name),
      run: runId(world.service(name).runs),
      timer: 'changed',
    });
};

const watchesOf = (world: Kernel, name: string): readonly string[] =>
  allWatchesOf(world.service(name), world.state().settings).map(({ type }) => type);

const signals = (world: Kernel): readonly unknown[] =>
  world.drain().flatMap((effect) => (effect.type === 'signal' ? [effect.signal] : []));

describe('changed files', () => {
  it('instances are restarted one after another, and the rest keeps its run if one does not become ready', () => {
    const world = kernel();
    world.start(specOf('web@1', watchBy('restart')), specOf('web@2', watchBy('restart')));
    world.up('web@1', 'web@2');
    change(world, 'web@1', 'web@2');
    expect(world.tags('web@1', 'web@2')).toEqual(['stopping', 'up']);
    world.exit('web@1', 0);
    expect(world.tags('web@1', 'web@2')).toEqual(['spawning', 'up']);
    world.up('web@1');
    expect(world.tags('web@1', 'web@2')).toEqual(['up', 'stopping']);
  });

  it('a signal is sent to the main process of a ready service only, and waits for a start', () => {
    const world = kernel();
    world.start(specOf('web', watchBy('SIGHUP')));
    world.spawned('web');
    change(world, 'web');
    expect(signals(world)).toEqual([]);
    world.pass(10_000);
    world.up('web');
    expect(signals(world)).toEqual(['SIGHUP']);
    expect(world.service('web').incidents).toMatchObject([
      { cause: 'watch', facts: { changed: 'src/app.js', action: 'SIGHUP' } },
    ]);
    expect(world.service('web')).not.toHaveProperty('changedFile');
  });

  it.each([299, -500])('a change counts when its timer ends, although the clock shows %i ms', (passed) => {
    const world = kernel();
    world.start(specOf('web', watchBy('SIGHUP')));
    world.up('web');
    changeFor(passed, world, ['web']);
    expect(signals(world)).toEqual(['SIGHUP']);
    expect(world.service('web')).not.toHaveProperty('changedFile');
  });

  it('a done one-shot runs again after a change', () => {
    const world = kernel();
    world.start(specOf('web', watchBy('restart')));
    world.spawned('web');
    world.exit('web', 0);
    expect(world.tag('web')).toBe('down');
    change(world, 'web');
    expect(world.tag('web')).toBe('spawning');
  });

  it('files are watched while the service must be up, and not after a stop', () => {
    const world = kernel();
    world.start(specOf('web', watchBy('restart')));
    world.up('web');
    expect(watchesOf(world, 'web')).toContain('files');
    world.ask({ type: 'stop', selection: {} });
    world.exit('web', 0);
    expect(watchesOf(world, 'web')).not.toContain('files');
    change(world, 'web');
    expect(world.tag('web')).toBe('down');
  });

  it('a change just before a stop is forgotten', () => {
    const world = kernel();
    world.start(specOf('web', watchBy('restart')));
    world.up('web');
    world.post({ type: 'changed', service: idOf('web'), file: 'src/app.js' });
    world.ask({ type: 'stop', selection: {} });
    world.exit('web', 0);
    expect(world.service('web')).not.toHaveProperty('changedFile');
  });

  it('files that cannot be watched are a warning, and the service goes on', () => {
    const world = kernel();
    world.start(specOf('web', watchBy('restart')));
    world.up('web');
    world.post({ type: 'unwatched', service: idOf('web'), file: 'src', detail: 'no watch is left' });
    expect(world.tag('web')).toBe('up');
    expect(world.service('web').incidents).toMatchObject([{ facts: { error: { code: 'ERR0123' } } }]);
    expect(world.drain()).toContainEqual(expect.objectContaining({ type: 'note', level: 'warn' }));
  });
});
