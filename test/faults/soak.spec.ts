// Needs the native addon.
// The short form of `npm run soak`: one seed, some rounds. What is tried, and how, is in test/soak.
import { describe, expect, it } from 'vitest';
import { playCampaign } from '../soak/campaign.ts';

const SEED = 11;

describe('a short campaign of random kills, commands and edits', () => {
  it(
    'a short campaign of random kills, commands and edits ends in the requested state, with each line in its log',
    { timeout: 300_000 },
    async () => {
      const said: string[] = [];
      const report = await playCampaign(SEED, { seconds: 20, kills: 20 }, (text) => said.push(text));
      expect(report.faults, said.join('\n')).toEqual([]);
      expect(report.kills).toBeGreaterThan(0);
      expect(report.words).toBeGreaterThan(0);
    },
  );
});
