import { describe, expect, it } from 'vitest';
import { freshService } from '../../../../src/streams/domain/service/service.ts';
import { serviceTableOf } from '../../../../src/streams/kernel/service-table.ts';
import { select } from '../../../../src/streams/kernel/requests/selected-services.ts';
import { INITIAL_STATE } from '../../../../src/streams/kernel/state.ts';
import { SHOP, specOf } from '../../../support/spec.ts';

const moved = { ...freshService(specOf('db')), revised: specOf('db', { manifest: '/new.yaml' }) };
const state = {
  ...INITIAL_STATE,
  serviceTable: serviceTableOf([freshService(specOf('web')), moved]),
  projects: { [SHOP]: { id: SHOP, name: 'Shop', manifest: '/shop/sup.yaml' } },
  manifests: { '/shop/sup.yaml': [], '/new.yaml': [] },
};

describe('a selection of services', () => {
  it('a selection knows services, projects and registered manifests', () => {
    expect(select(state, { projects: ['shop'] })).toMatchObject({ ids: ['shop/web', 'shop/db'] });
    expect(select(state, { manifest: '/old.yaml' })).toMatchObject({ error: { code: 'ERR0202' } });
  });

  it('a selection uses the latest declaration of a service', () => {
    expect(select(state, { manifest: '/new.yaml' })).toMatchObject({ ids: ['shop/db'] });
  });
});
