import { EventEmitter } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { hearEarly, heardEarly, heardWords } from '../../src/os/early-signals.ts';

afterEach(() => void heardEarly());

describe('signals that come early', () => {
  it('are noted in order, until somebody asks, and once', () => {
    const target = new EventEmitter();
    hearEarly(target);
    for (const name of ['SIGHUP', 'SIGUSR2', 'SIGTERM']) target.emit(name, name);
    expect(heardEarly()).toEqual(['SIGHUP', 'SIGTERM']);
    expect(heardEarly()).toEqual([]);
    expect(target.eventNames()).toEqual([]);
  });

  it('are noted once, however many parts of a program begin with it', () => {
    const target = new EventEmitter();
    hearEarly(target);
    hearEarly(target);
    target.emit('SIGTERM', 'SIGTERM');
    expect(heardEarly()).toEqual(['SIGTERM']);
  });

  it('go to the next program in this process, which hears them first', () => {
    const target = new EventEmitter();
    hearEarly(target);
    expect(heardWords()).toEqual([]);
    hearEarly(target);
    target.emit('SIGTERM', 'SIGTERM');
    const words = heardWords();
    hearEarly(target, ['node', 'supervisor.js', ...words]);
    target.emit('SIGHUP', 'SIGHUP');
    expect(heardEarly()).toEqual(['SIGTERM', 'SIGHUP']);
  });

  it('are none where nobody listened', () => {
    expect(heardEarly()).toEqual([]);
  });
});
