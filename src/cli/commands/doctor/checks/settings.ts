// `supervisor.xml` and the variable that overrides it in part, as the next supervisor reads them.
import { existsSync } from 'node:fs';
import { peekSettings } from '../../../../manifest/settings/load-settings.ts';
import { judgeSettings } from '../../../../streams/doctor/settings.ts';
import type { Check } from '../check.ts';

export const settings: Check = {
  name: 'settings',
  look: ({ layout, world }) => {
    const { warnings } = peekSettings(layout.settings, world.environment);
    const facts = { path: layout.settings, there: existsSync(layout.settings), warnings };
    return Promise.resolve(judgeSettings(facts));
  },
};
