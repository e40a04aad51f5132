import { EventEmitter } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { HEARD, hearEarly, heardEarly, heardWords } from '../../src/os/early-signals.ts';

afterEach(() => void heardEarly());

describe('signals that arrive during the start', () => {
  it('early signals are kept in order and delivered once', () => {
    const target = new EventEmitter();
    hearEarly(target);
    for (const name of ['SIGHUP', 'SIGUSR2', 'SIGTERM']) target.emit(name, name);
    expect(heardEarly()).toEqual(['SIGHUP', 'SIGTERM']);
    expect(heardEarly()).toEqual([]);
    expect(target.eventNames()).toEqual([]);
  });

  it('early signals are kept once, however many modules start listening', () => {
    const target = new EventEmitter();
    hearEarly(target);
    hearEarly(target);
    target.emit('SIGTERM', 'SIGTERM');
    expect(heardEarly()).toEqual(['SIGTERM']);
  });

  it('early signals are passed to the next program of this process, which gets them first', () => {
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

  it('early signals that are passed to the next program keep their order and number', () => {
    const target = new EventEmitter();
    const arrived = ['SIGHUP', 'SIGTERM', 'SIGHUP', 'SIGINT'];
    hearEarly(target);
    for (const name of arrived) target.emit(name, name);
    hearEarly(target, heardWords());
    expect(heardEarly()).toEqual(arrived);
  });

  it('a word that is not the name of a recorded signal is ignored', () => {
    hearEarly(new EventEmitter(), [`${HEARD}SIGHUP,SIGKILL,,x,SIGTERM`]);
    expect(heardEarly()).toEqual(['SIGHUP', 'SIGTERM']);
  });

  it('there are no early signals without a listener', () => {
    expect(heardEarly()).toEqual([]);
  });
});
