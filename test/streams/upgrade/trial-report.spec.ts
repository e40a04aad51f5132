import { describe, expect, it } from 'vitest';
import { HANDOVER_FORMAT } from '../../../src/streams/upgrade/handover.ts';
import { invalidFor, trialIn, trialRefusal, type Trial } from '../../../src/streams/upgrade/trial-report.ts';

const GOOD: Trial = { trial: 1, version: '2.0.0', handover: HANDOVER_FORMAT, begins: true, problems: [] };
const QUIET = { how: 'ended with status 0', said: '', broken: [] };

describe('the answer of a trial run', () => {
  it('a trial prints its answer as one line and nothing else', () => {
    expect(trialIn(`${JSON.stringify(GOOD)}\n`)).toEqual(GOOD);
    const { begins: _, ...older } = GOOD;
    expect(trialIn(JSON.stringify(older))).toEqual({ ...GOOD, begins: false });
    expect(trialIn('')).toBeUndefined();
    expect(trialIn('{"trial":2}')).toBeUndefined();
    expect(trialIn('{"trial":1,"version":"2","handover":"1","problems":[]}')).toBeUndefined();
  });

  it('a trial allows the upgrade if it has no problem and reads the handover', () => {
    expect(trialRefusal(GOOD, QUIET)).toBeUndefined();
    expect(trialRefusal({ ...GOOD, handover: HANDOVER_FORMAT + 1 }, QUIET)).toContain('another form');
    expect(trialRefusal({ ...GOOD, problems: ['state.json cannot be used'] }, QUIET)).toBe(
      'sup 2.0.0 cannot take over: state.json cannot be used',
    );
  });

  it('a trial is not refused for a manifest that the running program cannot load either', () => {
    const problems = [invalidFor('2.0.0', '/a.yaml'), invalidFor('2.0.0', '/b.yaml')];
    const trial = { ...GOOD, problems };
    expect(trialRefusal(trial, { ...QUIET, broken: ['/a.yaml', '/b.yaml'] })).toBeUndefined();
    expect(trialRefusal(trial, { ...QUIET, broken: ['/a.yaml'] })).toBe(
      'sup 2.0.0 cannot take over: /b.yaml is not valid for sup 2.0.0',
    );
  });

  it('a trial without an answer is reported by its exit and the error in its output', () => {
    const said =
      'file:///x/supervisor.js:1\nthis is (\n\nSyntaxError: Unexpected end of input\n    at x\n\nNode.js v20\n';
    expect(trialRefusal(undefined, { ...QUIET, how: 'ended with status 1', said })).toBe(
      'the new program ended with status 1 when it was tried: SyntaxError: Unexpected end of input',
    );
    expect(trialRefusal(undefined, QUIET)).toBe('the new program ended with status 0 when it was tried');
  });
});
