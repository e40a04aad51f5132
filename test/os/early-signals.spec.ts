import { EventEmitter } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import {
  SIGNALS_OPTION,
  recordEarlySignals,
  takeEarlySignals,
  earlySignalWords,
} from '../../src/os/early-signals.ts';

afterEach(() => void takeEarlySignals());

describe('signals that arrive during the start', () => {
  it('early signals are kept in order and delivered once', () => {
    const target = new EventEmitter();
    recordEarlySignals(target);
    for (const name of ['SIGHUP', 'SIGUSR2', 'SIGTERM']) target.emit(name, name);
    expect(takeEarlySignals()).toEqual(['SIGHUP', 'SIGTERM']);
    expect(takeEarlySignals()).toEqual([]);
    expect(target.eventNames()).toEqual([]);
  });

  it('early signals are kept once, however many modules start listening', () => {
    const target = new EventEmitter();
    recordEarlySignals(target);
    recordEarlySignals(target);
    target.emit('SIGTERM', 'SIGTERM');
    expect(takeEarlySignals()).toEqual(['SIGTERM']);
  });

  it('early signals are passed to the next program of this process, which gets them first', () => {
    const target = new EventEmitter();
    recordEarlySignals(target);
    expect(earlySignalWords()).toEqual([]);
    recordEarlySignals(target);
    target.emit('SIGTERM', 'SIGTERM');
    const words = earlySignalWords();
    recordEarlySignals(target, ['node', 'supervisor.js', ...words]);
    target.emit('SIGHUP', 'SIGHUP');
    expect(takeEarlySignals()).toEqual(['SIGTERM', 'SIGHUP']);
  });

  it('early signals that are passed to the next program keep their order and number', () => {
    const target = new EventEmitter();
    const arrived = ['SIGHUP', 'SIGTERM', 'SIGHUP', 'SIGINT'];
    recordEarlySignals(target);
    for (const name of arrived) target.emit(name, name);
    recordEarlySignals(target, earlySignalWords());
    expect(takeEarlySignals()).toEqual(arrived);
  });

  it('a word that is not the name of a recorded signal is ignored', () => {
    recordEarlySignals(new EventEmitter(), [`${SIGNALS_OPTION}SIGHUP,SIGKILL,,x,SIGTERM`]);
    expect(takeEarlySignals()).toEqual(['SIGHUP', 'SIGTERM']);
  });

  it('there are no early signals without a listener', () => {
    expect(takeEarlySignals()).toEqual([]);
  });
});
