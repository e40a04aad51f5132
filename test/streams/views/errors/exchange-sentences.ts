// Examples of errors of import and export, each with its sentence.
import type { SupError } from '../../../../src/streams/domain/errors/error.ts';

export const OF_EXCHANGE: readonly (readonly [SupError, string])[] = [
  [{ code: 'ERR0801', file: 'a.conf', formats: ['procfile'] }, 'the format of a.conf is not known'],
  [
    { code: 'ERR0802', file: 'Procfile', format: 'a Procfile', line: 3, detail: 'no name' },
    'Procfile:3 cannot be read as a Procfile: no name',
  ],
  [
    { code: 'ERR0802', file: 'Procfile', format: 'a Procfile', detail: 'no name' },
    'Procfile cannot be read as a Procfile: no name',
  ],
  [
    { code: 'ERR0803', file: 'a', detail: 'it is binary, not text' },
    'a cannot be imported: it is binary, not text',
  ],
  [
    { code: 'ERR0804', file: 'Procfile', format: 'a Procfile' },
    'Procfile is a Procfile without anything to run',
  ],
  [{ code: 'ERR0805', file: 'a', losses: 1 }, '1 setting of a would be lost, so nothing was written'],
  [{ code: 'ERR0806', file: 'a.js', detail: 'no' }, 'a.js was not evaluated: no'],
  [{ code: 'ERR0807', file: 'a', detail: 'no space' }, 'a was not written: no space'],
  [{ code: 'ERR0813', files: ['a', 'b'] }, 'nothing was written: a, b would be replaced'],
  [
    { code: 'ERR0808', services: ['shop/web'], format: 'Kubernetes' },
    'Kubernetes needs a container image, and shop/web has none',
  ],
  [{ code: 'ERR0812', file: 'a.js', detail: 'no' }, 'a.js gave no configuration: no'],
  [
    {
      ...{ code: 'ERR0810', file: 'supervisord.conf', line: 3, key: 'stopsignal' },
      detail: '"FOO" is not a signal',
    },
    'stopsignal cannot be imported: "FOO" is not a signal, supervisord.conf:3',
  ],
  [
    { code: 'ERR0811', file: 'supervisord.conf', line: 1, services: 5000, most: 1000 },
    'supervisord.conf:1 declares 5000 services, and an import makes at most 1000',
  ],
];
