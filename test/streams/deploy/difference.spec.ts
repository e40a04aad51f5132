import { describe, expect, it } from 'vitest';
import { differenceOf } from '../../../src/streams/deploy/difference.ts';
import { ms } from '../../../src/streams/domain/time.ts';
import { needs, specOf } from '../../support/spec.ts';

describe('the difference of two declarations', () => {
  it('names changed keys as a manifest does, with both values', () => {
    const after = specOf('web', {
      workingDir: '/srv',
      launch: { tag: 'shell', command: 'serve' },
      env: { vars: { workingMode: 'fast' }, inherit: false, clearSession: true, strip: [] },
      dependsOn: needs('db'),
      deployment: { strategy: 'rolling', gracePeriod: ms(500) },
    });
    expect(differenceOf(specOf('web'), after)).toEqual([
      { key: 'exec', from: '["/bin/sleep","60"]' },
      { key: 'working_dir', from: '/shop', to: '/srv' },
      { key: 'deployment.strategy', from: 'immediate', to: 'rolling' },
      { key: 'deployment.grace_period', from: '0', to: '500' },
      { key: 'command', to: 'serve' },
      { key: 'depends_on', to: '[{"service":"shop/db","condition":"started"}]' },
      { key: 'env.vars.workingMode', to: 'fast' },
    ]);
  });

  it('is nothing between equals, whatever their digests', () => {
    expect(differenceOf(specOf('web'), specOf('web', { digest: 'other' }))).toEqual([]);
  });
});
