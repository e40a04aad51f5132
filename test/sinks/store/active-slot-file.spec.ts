import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Subject } from 'rxjs';
import { expect, it, onTestFinished, vi } from 'vitest';
import { slotFiles, slotWriter } from '../../../src/sinks/store/active-slot-file.ts';
import type { EffectOf } from '../../../src/streams/domain/effect.ts';
import { listen } from '../../support/listen.ts';
import { idOf } from '../../support/spec.ts';
import { PATIENT } from '../../support/patience.ts';

it('a slot counts as unwritten until it is in its file or cannot be written', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'sup-slot-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'run/slot');
  const slots = slotFiles();
  const logError = vi.fn();
  const effect$ = new Subject<EffectOf<'keep-slot'>>();
  listen(slotWriter({ logError, slots })(effect$));
  const keep = async (slot: 'blue' | 'green', file: string): Promise<void> => {
    effect$.next({ type: 'keep-slot', service: idOf('web'), path: file, slot });
    expect(slots.count).toBe(1);
    await vi.waitFor(() => expect(slots.count).toBe(0), PATIENT);
  };
  await keep('green', path);
  expect(readFileSync(path, 'utf8')).toBe('green\n');
  await keep('blue', join(path, 'no/directory'));
  expect(logError).toHaveBeenCalledOnce();
});

it('a slot that cannot be written is reported once, retried, and reported when it is written', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'sup-slot-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const blocked = join(directory, 'run');
  writeFileSync(blocked, '');
  const logError = vi.fn();
  const effect$ = new Subject<EffectOf<'keep-slot'>>();
  const told: unknown[] = [];
  const slots = slotFiles();
  listen(slotWriter({ logError, slots })(effect$), (event) => told.push(event));
  const keep = (slot: 'blue' | 'green'): void =>
    effect$.next({ type: 'keep-slot', service: idOf('web'), path: join(blocked, 'slot'), slot });
  keep('green');
  keep('blue');
  await vi.waitFor(() => expect(logError).toHaveBeenCalledOnce(), PATIENT);
  expect(slots.troubles.get(idOf('web'))).toContain('it is tried again');
  rmSync(blocked);
  await vi.waitFor(
    () => expect(told).toEqual([{ type: 'slot-kept', service: idOf('web'), slot: 'blue' }]),
    PATIENT,
  );
  expect(readFileSync(join(blocked, 'slot'), 'utf8')).toBe('blue\n');
  expect([logError.mock.calls.length, slots.troubles.size]).toEqual([1, 0]);
});
