import { describe, expect, it } from 'vitest';
import type { ServiceSpec } from '../../../../src/streams/domain/declared/spec.ts';
import { kernel, type Kernel } from '../../../support/kernel.ts';
import { idOf, manifestOf, specOf } from '../../../support/spec.ts';

const both = (digest: string): readonly ServiceSpec[] => [
  specOf('mig', { restartPolicy: 'never', digest }),
  specOf('web', { dependsOn: [{ service: idOf('mig'), condition: 'completed' }], digest }),
];

/** The migration is done, `web` runs, and an apply is given a new declaration of both. */
const applied = (): Kernel => {
  const sup = kernel();
  sup.start(...both('old'));
  sup.up('mig');
  sup.exit('mig', 0);
  sup.up('web');
  sup.drain();
  sup.load(sup.ask({ type: 'apply', selection: {} }), manifestOf(...both('newer')));
  sup.up('mig');
  return sup;
};

describe('an apply of a one-shot and its dependent', () => {
  it('an apply keeps the dependent running until its one-shot has completed', () => {
    const sup = applied();
    expect(sup.tags('mig', 'web')).toEqual(['up', 'up']);
    sup.exit('mig', 0);
    expect(sup.tags('mig', 'web')).toEqual(['down', 'stopping']);
    sup.exit('web', 143);
    sup.up('web');
    expect(sup.replies()).toMatchObject([{ ok: true }]);
  });

  it('an apply names the service that failed', () => {
    const sup = applied();
    sup.exit('mig', 4);
    sup.exit('web', 143);
    const [reply] = sup.replies();
    expect(reply).toMatchObject({
      ok: false,
      error: { code: 'ERR0302', failures: [{ code: 'ERR0101', service: idOf('mig') }, { code: 'ERR0109' }] },
    });
  });
});

describe('a start of a one-shot and its dependent', () => {
  it('a start is answered with the error of the failed one-shot only', () => {
    const sup = kernel();
    sup.start(...both('old'));
    sup.up('mig');
    expect(sup.replies()).toEqual([]);
    sup.exit('mig', 4);
    expect(sup.replies()).toMatchObject([{ ok: false, error: { code: 'ERR0101', service: idOf('mig') } }]);
  });
});
