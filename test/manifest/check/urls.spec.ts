import { describe, expect, it } from 'vitest';
import { wrongWith } from '../loading.ts';

const slots = (values: string, more = ''): string =>
  `blue_green: { slots: [${values}], switch_command: x${more} }`;
const checked = (url: string, more = ''): string => `deployment: { health_check: { url: "${url}" }${more} }`;

describe('an address with braces', () => {
  it.each([
    'http://{host}/',
    'http://127.0.0.1:{port}/',
    'http://127.0.0.1:{candidate}/',
    'http://127.0.0.1:{service}/',
  ])('is checked at load: %s', (url) => {
    expect(wrongWith(checked(url))).toEqual([
      `ERR0213 deployment.health_check.url: "${url}" is not an http or https URL`,
    ]);
  });

  it('is checked with each slot', () => {
    expect(wrongWith(checked('http://127.0.0.1:{slot}/', `, ${slots('8001, green')}`))).toEqual([
      'ERR0213 deployment.health_check.url: "http://127.0.0.1:green/" is not an http or https URL; ' +
        'the slots make it of "http://127.0.0.1:{slot}/"',
    ]);
    const verify = `deployment: { ${slots('1, 99999', ', switch_verify: { url: "http://a:{active_slot}/" }')} }`;
    expect(wrongWith(verify)).toHaveLength(1);
  });

  it.each([
    checked('http://127.0.0.1/find?query={health}'),
    checked('http://127.0.0.1:{slot}/', `, ${slots('8001, 8002')}`),
    checked('http://{slot}.local:80/{service}', `, ${slots('blue, green')}`),
  ])('is an address if it is one once they are filled in: %s', (fields) => {
    expect(wrongWith(fields)).toEqual([]);
  });
});
