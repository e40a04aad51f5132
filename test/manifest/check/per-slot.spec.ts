import { describe, expect, it } from 'vitest';
import { loadText, manifestOf, wrongWith } from '../loading.ts';

const told = (check: string, version: string): readonly string[] =>
  loadText(
    manifestOf(
      `deployment: { health_check: { ${check} }, blue_green: { slots: ['9001', '9002'], env_var: PORT, switch_command: run } }`,
      version,
    ),
  )
    .problems.filter(({ code }) => code === 'ERR0223')
    .map(({ severity, path, message }) => `${severity} ${path.split('.').at(-1) ?? ''} ${message}`);

const ASKS = 'asks slot 9002 at its fixed address, also when the other slot has the traffic';

describe('a health_check at the fixed address of one slot', () => {
  it('a health_check of one slot is a warning under version 2, and refused under version 3', () => {
    expect(told('url: "http://127.0.0.1:9002/"', '2')).toEqual([`warning url ${ASKS}`]);
    expect(told('url: "http://127.0.0.1:9002/"', '3')).toEqual([`error url ${ASKS}`]);
    expect(told('tcp: 9002', '3')).toEqual([`error tcp ${ASKS}`]);
    expect(told('tcp: "127.0.0.1:9002"', '3')).toEqual([`error tcp ${ASKS}`]);
    expect(told('command: "curl -f localhost:9002"', '3')).toEqual([`error command ${ASKS}`]);
  });

  it('a liveness of one slot is a warning under version 2, and refused under version 3', () => {
    const asks = 'url: "http://127.0.0.1:{slot}/", liveness: { tcp: 9002 }';
    expect(told(asks, '2')).toEqual([`warning tcp ${ASKS}`]);
    expect(told(asks, '3')).toEqual([`error tcp ${ASKS}`]);
    expect(told(asks.replace('9002', '"{slot}"'), '3')).toEqual([]);
  });

  it.each([
    'url: "http://127.0.0.1:{slot}/"',
    'tcp: "{slot}"',
    'url: "http://127.0.0.1:8080/"',
    'command: "curl localhost:$PORT"',
  ])('a health_check is not that of one slot: %s', (check) => expect(told(check, '3')).toEqual([]));
});

const slots = (values: string, more = ''): string =>
  `blue_green: { slots: [${values}], switch_command: x${more} }`;
const checked = (url: string, more = ''): string => `deployment: { health_check: { url: "${url}" }${more} }`;

describe('an address with placeholders', () => {
  it.each([
    'http://{host}/',
    'http://127.0.0.1:{port}/',
    'http://127.0.0.1:{candidate}/',
    'http://127.0.0.1:{service}/',
  ])('an address with placeholders is checked at load: %s', (url) => {
    expect(wrongWith(checked(url))).toEqual([
      `ERR0213 deployment.health_check.url: "${url}" is not an http or https URL`,
    ]);
  });

  it('an address with placeholders is checked with each slot', () => {
    expect(wrongWith(checked('http://127.0.0.1:{slot}/', `, ${slots('8001, green')}`))).toEqual([
      'ERR0213 deployment.health_check.url: "http://127.0.0.1:green/" is not an http or https URL; ' +
        'the slots make it of "http://127.0.0.1:{slot}/"',
    ]);
    const verify = `deployment: { ${slots('1, 99999', ', switch_verify: { url: "http://a:{active_slot}/" }')} }`;
    expect(wrongWith(verify)).toHaveLength(1);
    expect(wrongWith(`deployment: { health_check: { tcp: "{slot}" }, ${slots('8001, green')} }`)).toEqual([
      'ERR0213 deployment.health_check.tcp: "green" is not a port, host:port or [address]:port; ' +
        'the slots make it of "{slot}"',
    ]);
  });

  it.each([
    checked('http://127.0.0.1/find?query={health}'),
    checked('http://127.0.0.1:{slot}/', `, ${slots('8001, 8002')}`),
    checked('http://{slot}.local:80/{service}', `, ${slots('blue, green')}`),
  ])('an address with placeholders is an address if it is one once they are resolved: %s', (fields) => {
    expect(wrongWith(fields)).toEqual([]);
  });
});
