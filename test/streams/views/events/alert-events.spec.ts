import { expect, it } from 'vitest';
import type { OpenIncident } from '../../../../src/streams/alerts/incidents.ts';
import type { AlertSpec } from '../../../../src/streams/domain/declared/spec.ts';
import type { Service } from '../../../../src/streams/domain/service/service.ts';
import { ms } from '../../../../src/streams/domain/time.ts';
import {
  alertMessage,
  undeliveredDocument,
  undeliveredTexts,
} from '../../../../src/streams/views/events/alert-events.ts';
import { lookUpIn } from '../../../../src/streams/views/state-snapshot.ts';
import { idOf } from '../../../support/spec.ts';
import { NOW, serviceIn, STATES } from '../../../support/states.ts';

const incidentOf = (name: string, to: AlertSpec['to']): OpenIncident => ({
  service: idOf(name),
  alert: { on: ['unhealthy'], to, timeout: ms(1), recoveredAfter: ms(1) },
  cause: 'unhealthy',
  since: NOW,
});
const URL_ = { tag: 'url', url: 'https://user:pass@hooks.example.com/T0/secret' } as const;
const COMMAND = { tag: 'command', command: `page ${'x'.repeat(80)}\necho`, directory: '/' } as const;

it('the reason of an alert is the error, without the progress of the stop', () => {
  const error = { code: 'ERR0104', service: idOf('web'), detail: 'HTTP 500' } as const;
  const web: Service = {
    ...serviceIn('stopping'),
    actual: { ...STATES.stopping, asked: [], cause: { tag: 'unhealthy', wasReady: true, error } },
  };
  const { body, about } = alertMessage(
    { incident: incidentOf('web', URL_) },
    { at: NOW, byId: lookUpIn([web]) },
  );
  expect(about).toMatchObject({ cause: 'unhealthy', project: 'shop', service: 'web', code: 'ERR0104' });
  expect(JSON.parse(body)).toMatchObject({ reason: 'its health check reported unhealthy: HTTP 500' });
});

it('all alerts that a receiver did not get are one warning, without the path of the address', () => {
  const undelivered = { at: NOW, cause: 'unhealthy', attempts: 5, detail: 'status 503' } as const;
  const lost = ['a', 'b', 'c', 'd'].map((name) => ({ ...incidentOf(name, URL_), undelivered }));
  const open = [incidentOf('e', URL_), ...lost, { ...incidentOf('a', COMMAND), undelivered }];
  expect(undeliveredTexts(open)).toEqual([
    'no alert about shop/a, shop/b, shop/c and 1 more reached https://hooks.example.com: status 503',
    `no alert about shop/a reached the command "page ${'x'.repeat(54)}…": status 503`,
  ]);
  expect(open.slice(0, 2).flatMap(undeliveredDocument)).toMatchObject([
    {
      at: '1970-01-01T00:01:01.000Z',
      cause: 'unhealthy',
      error: {
        code: 'ERR0127',
        message: 'no alert could be delivered to https://hooks.example.com in 5 attempts: status 503',
      },
    },
  ]);
});
