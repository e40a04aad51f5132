// Rows of the dashboard's view, with only what a test is about spelled out.
import type { ServiceRow } from '../../../src/dashboard/page-messages.ts';
import { serviceOf } from '../../cli/support/documents.ts';

export const rowOf = (id: string, facts: Partial<ServiceRow> = {}): ServiceRow => {
  const [project = '', name = ''] = id.split('/');
  return { ...serviceOf({ name, ...facts }), id, project, ...facts };
};
