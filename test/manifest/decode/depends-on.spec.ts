import { describe, expect, it } from 'vitest';
import { loadText, toldOf, wrongWith } from '../loading.ts';

describe('depends_on', () => {
  it('takes names, and services with a condition', () => {
    const { manifest } = loadText(`version: 2
projects:
  shop:
    services:
      web: { command: w, depends_on: [db, { service: job, condition: completed }, { service: api }] }
      db: { command: d }
      job: { command: j }
      api: { command: a }
`);
    expect(manifest?.services[0]?.dependsOn).toEqual([
      { service: 'shop/db', condition: 'started' },
      { service: 'shop/job', condition: 'completed' },
      { service: 'shop/api', condition: 'started' },
    ]);
  });

  it.each([
    ['depends_on: web', 'ERR0213 depends_on: "web" is not a list'],
    ['depends_on: [{ condition: started }]', 'ERR0213 depends_on[0].service: the key "service" is missing'],
    ['depends_on: [[x]]', 'ERR0213 depends_on[0]: a list is not a string'],
  ])('refuses %s', (fields, told) => {
    expect(wrongWith(fields)).toEqual([told]);
  });

  it('refuses a condition it does not know', () => {
    const text =
      'version: 2\nservices: { a: { command: x }, b: { command: x, depends_on: [{ service: a, condition: healthy }] } }';
    expect(toldOf(loadText(text).problems)).toEqual([
      'ERR0213 services.b.depends_on[0].condition: "healthy" is not one of started, completed',
    ]);
  });
});
