import { describe, expect, it } from 'vitest';
import { resolvePlaceholders } from '../../../src/streams/rollout/placeholders.ts';
import type { HealthCheck } from '../../../src/streams/domain/declared/health-check.ts';
import { ms, seconds } from '../../../src/streams/domain/time.ts';
import { specOf } from '../../support/spec.ts';

const SLOTS = { slot: '8002', active: '8001', candidate: '8002' };
const ALL = '{service}: {active_slot} to {candidate_slot}, {slot}';
const FILLED = 'web: 8001 to 8002, 8002';
const check: HealthCheck = {
  probe: { tag: 'command', command: ALL },
  interval: seconds(1),
  startInterval: ms(100),
  attemptTimeout: seconds(1),
  totalTimeout: ms(0),
  retries: 1,
};
const http: HealthCheck = { ...check, probe: { tag: 'http', url: 'http://127.0.0.1:{slot}/' } };

const blueGreen = specOf('web', {
  digest: 'x',
  launch: { tag: 'shell', command: ALL },
  skip: ALL,
  hooks: { onstart: { command: ALL } },
  reload: { tag: 'command', command: ALL },
  deployment: {
    strategy: 'immediate',
    gracePeriod: ms(0),
    preStart: ALL,
    healthCheck: http,
    blueGreen: {
      envVar: 'PORT',
      slots: ['8001', '8002'],
      switchCommand: ALL,
      candidateHealthCheck: check,
      switchVerify: http,
    },
  },
});

describe('placeholders', () => {
  it('placeholders resolve to the slots and the service, and other braces are unchanged', () => {
    const launch = { tag: 'shell', command: `${ALL} {port} {} {slot` } as const;
    expect(resolvePlaceholders({ ...blueGreen, launch }, SLOTS).launch).toEqual({
      tag: 'shell',
      command: `${FILLED} {port} {} {slot`,
    });
  });

  it('placeholders do not affect a shell variable of the same name', () => {
    const launch = { tag: 'shell', command: 'echo ${slot} {slot}' } as const;
    expect(resolvePlaceholders({ ...blueGreen, launch }, SLOTS).launch).toEqual({
      tag: 'shell',
      command: 'echo ${slot} 8002',
    });
  });

  it('placeholders are resolved in each command and URL of a blue/green service', () => {
    const text = JSON.stringify(resolvePlaceholders(blueGreen, SLOTS));
    expect(text).not.toMatch(/\{(slot|service|active_slot|candidate_slot)\}/);
    expect(text.split(FILLED)).toHaveLength(8);
    expect(text.split('http://127.0.0.1:8002/')).toHaveLength(3);
  });

  it('placeholders come with the variable that holds the slot', () => {
    expect(resolvePlaceholders(blueGreen, SLOTS).env.vars).toEqual({ PORT: '8002' });
  });

  it('placeholders are unchanged in exec, which expands nothing', () => {
    const launch = { tag: 'exec', argv: ['echo', '{slot}'] } as const;
    expect(resolvePlaceholders({ ...blueGreen, launch }, SLOTS).launch).toEqual(launch);
  });

  it('placeholders have no meaning without slots', () => {
    const plain = specOf('web', { launch: { tag: 'shell', command: ALL } });
    expect(resolvePlaceholders(plain, SLOTS)).toBe(plain);
    expect(resolvePlaceholders(blueGreen, undefined)).toBe(blueGreen);
  });
});
