import { describe, expect, it } from 'vitest';
import { resolvedForRevert } from '../../../src/streams/rollout/placeholders.ts';
import type { Run } from '../../../src/streams/domain/service/service-run.ts';
import { freshService, type Service } from '../../../src/streams/domain/service/service.ts';
import type { BlueGreen } from '../../../src/streams/domain/declared/spec.ts';
import { ms } from '../../../src/streams/domain/time.ts';
import { specOf } from '../../support/spec.ts';

const web = (switchCommand: string | undefined, slot: string): Service => {
  const blueGreen: BlueGreen | undefined =
    switchCommand === undefined ? undefined : { envVar: 'PORT', slots: ['a', 'b'], switchCommand };
  const deployment = { strategy: 'immediate', gracePeriod: ms(0), ...(blueGreen && { blueGreen }) } as const;
  return { ...freshService(specOf('web', { deployment })), slot };
};

const commandOf = (service: Run): string | undefined => service.spec.deployment.blueGreen?.switchCommand;

describe('the reverse switch', () => {
  it('the reverse switch is that of the declaration that continues, with exchanged slots', () => {
    const [old, candidate] = [web('old {slot} {active_slot}', 'a'), web('broken {slot}', 'b')];
    expect(commandOf(resolvedForRevert(old, candidate))).toBe('old a b');
  });

  it('the reverse switch is that of the candidate if the declaration that continues has none', () => {
    expect(commandOf(resolvedForRevert(web(undefined, 'a'), web('new {slot}', 'b')))).toBe('new a');
  });
});
