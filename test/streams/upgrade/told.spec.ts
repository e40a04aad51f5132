import { expect, it } from 'vitest';
import { copyText, upgradeText } from '../../../src/streams/upgrade/told.ts';

it('an upgrade is told with both versions, a failed one with why the old one goes on', () => {
  const versions = { from: '1.0.0', to: '2.0.0' };
  expect(upgradeText(versions)).toBe('supervisor upgraded from sup 1.0.0 to sup 2.0.0');
  expect(upgradeText(versions, 'it was not at work in time')).toBe(
    'ERR0503 sup 2.0.0 failed while it took over (it was not at work in time): sup 1.0.0 goes on',
  );
});

it('a copy at work is warned of by its path, and with what ends that', () => {
  expect(copyText('/d/program/1/supervisor.js')).toBe(
    'an upgrade failed, and the supervisor runs from a copy of its program (/d/program/1/supervisor.js): sup upgrade, once one that works is installed',
  );
});
