import { expect, it } from 'vitest';
import { systemdExport } from '../../../src/exchange/systemd/systemd-export.ts';
import { exported } from '../support/exported.ts';

const unitsOf = (projects: string): Readonly<Record<string, string>> => {
  const { files } = exported(`version: "2"\nprojects: { ${projects} }\n`, systemdExport);
  const units = Object.fromEntries(files.map(({ name, text }) => [name, text]));
  expect(Object.keys(units)).toHaveLength(files.length);
  return units;
};

it('services whose units would have the same name get different units', () => {
  const units = unitsOf(
    'a: { services: { b-c: { exec: [one] } } }, a-b: { services: { c: { exec: [two] }, d: { exec: [three], depends_on: [c] } } }',
  );
  expect(Object.keys(units)).toEqual([
    ...['a.target', 'a-b.target', 'a-b-c.service', 'a-b-c-2.service', 'a-b-d.service'],
  ]);
  expect(units['a-b-c.service']).toContain('ExecStart=one');
  expect(units['a-b-c-2.service']).toContain('ExecStart=two');
  expect(units['a.target']).toContain('Wants=a-b-c.service\n');
  expect(units['a-b.target']).toContain('Wants=a-b-c-2.service a-b-d.service\n');
  expect(units['a-b-d.service']).toContain('After=a-b-c-2.service');
});

it('sockets whose units would have the same name get different units', () => {
  const socket = (name: string, port: number): string => `[{ name: ${name}, listen: "127.0.0.1:${port}" }]`;
  const units = unitsOf(
    `p: { services: { web: { exec: [one], sockets: ${socket('a-b', 81)} }, web-a: { exec: [two], sockets: ${socket('b', 82)} } } }`,
  );
  expect(units['p-web-a-b.socket']).toContain('Service=p-web.service');
  expect(units['p-web-a-b-2.socket']).toContain('Service=p-web-a.service');
  expect(units['p-web-a.service']).toContain('Sockets=p-web-a-b-2.socket');
});
