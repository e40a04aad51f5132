import { describe, expect, it } from 'vitest';
import type { ProbeResult } from '../../../src/streams/domain/event.ts';
import type { Service } from '../../../src/streams/domain/service/service.ts';
import { instant } from '../../../src/streams/domain/time.ts';
import type { Input } from '../../../src/streams/service/service-input.ts';
import { transition } from '../../../src/streams/service/service-machine.ts';
import { manifestOf } from '../../support/marble/declare.ts';
import { parseMarble } from '../../support/marble/parse.ts';
import { CONTEXT, INPUTS, serviceIn, TAGS } from '../../support/states.ts';

const STORY =
  'title t\nspec s\nframe 1s\nservice web deployment.health_check.url=http://a/\nin cli S\nout web.state s';
const checked = manifestOf(parseMarble(STORY, 'x.marble')).services[0];
const up = serviceIn('up');
const probedUp: Service = checked === undefined ? up : { ...up, spec: checked };

const after = (service: Service, ...inputs: readonly Input[]): Service =>
  inputs.reduce(
    (before, input, index) =>
      transition(before, input, { ...CONTEXT, at: instant((index + 1) * 1_000) }).service,
    service,
  );

const bad: ProbeResult = { tag: 'unhealthy', detail: 'HTTP 500' };
const probe = (result: ProbeResult): Input => ({ ...INPUTS.probed, result });

describe('incidents of a service', () => {
  it.each(TAGS)('an incident is an action of a user while %s, without a transition', (during) => {
    const before = serviceIn(during);
    const { actual, history, incidents } = after(before, INPUTS.acted);
    expect([actual, history]).toEqual([before.actual, before.history]);
    expect(incidents).toEqual([{ at: 1_000, during, cause: 'acted', facts: { act: INPUTS.acted.act } }]);
  });

  it('incidents are the first failing probe and the first passing one after it', () => {
    const good = probe({ tag: 'passed' });
    const { incidents, history } = after(probedUp, good, probe(bad), probe(bad), good, good);
    expect(history).toEqual([]);
    expect(incidents).toMatchObject([
      { at: 2_000, during: 'up', cause: 'probed', facts: { health: 'unhealthy', streak: { failures: 1 } } },
      { at: 4_000, during: 'up', cause: 'probed', facts: { health: 'healthy', streak: { failures: 2 } } },
    ]);
  });

  it('a service to which nothing happened has no incidents', () => {
    expect(after(up, INPUTS.stop).incidents).toBeUndefined();
  });

  it('the last twenty incidents are kept', () => {
    const signals = Array.from({ length: 25 }, () => INPUTS.acted);
    expect(after(up, ...signals).incidents?.map(({ at }) => at / 1_000)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 6),
    );
  });
});
