// Checks `supervisor.xml` and the variables that override it, as the next supervisor will read them.
import { existsSync } from 'node:fs';
import { type Finding, fine, warning, checkOf } from './finding.ts';
import { peekSettings } from '../../../manifest/settings/load-settings.ts';
import type { Context } from '../../context.ts';

interface SettingsFacts {
  readonly path: string;
  readonly there: boolean;
  /** Sentences about ignored values; each names the file. */
  readonly warnings: readonly string[];
}

const MEND =
  'docs/settings.md has every element; what is mended counts for the next supervisor, also for the one after: sup upgrade';

/** Returns one finding for each ignored value, or a single finding if no value is ignored. */
const judge = ({ path, there, warnings }: SettingsFacts): readonly Finding[] => {
  if (warnings.length > 0)
    return warnings.map((text, at) => warning(at === 0 ? 'settings' : `settings ${at + 1}`, text, MEND));
  return [fine('settings', there ? `${path}: every value counts` : `no ${path} yet: the defaults apply`)];
};

const look = ({ layout, world }: Context): SettingsFacts => {
  const { warnings } = peekSettings(layout.settings, world.environment);
  return { path: layout.settings, there: existsSync(layout.settings), warnings };
};

export const settings = checkOf('settings', { look, judge });
