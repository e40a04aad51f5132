import { describe, expect, it } from 'vitest';
import { requestId } from '../../../../src/streams/domain/ids.ts';
import { kernel } from '../../../support/kernel.ts';
import { idOf, specOf } from '../../../support/spec.ts';

describe('a start that exceeds its time limit', () => {
  it('a start that exceeds its time limit names exactly the services that are still starting', () => {
    const sup = kernel();
    const request = sup.start(specOf('web'), specOf('db'));
    sup.up('db');
    sup.post({ type: 'request-expired', request: requestId(request) });
    expect(sup.replies()).toMatchObject([{ ok: false, error: { code: 'ERR0107', service: idOf('web') } }]);
    sup.post({ type: 'request-expired', request: requestId(request) });
    expect(sup.replies()).toHaveLength(1);
  });
});
