// Checks that every line of `supervisor.xml` takes effect; the next supervisor ignores the others, too, and
// warns.
import { fine, warning, type Finding } from './finding.ts';

interface SettingsFacts {
  readonly path: string;
  readonly there: boolean;
  /** Sentences that name the file. */
  readonly warnings: readonly string[];
}

const MEND =
  'docs/settings.md has every element; what is mended counts for the next supervisor, also for the one after: sup upgrade';

/** Returns one finding for each value without effect; a single one if all take effect. */
export const judgeSettings = ({ path, there, warnings }: SettingsFacts): readonly Finding[] => {
  if (warnings.length > 0)
    return warnings.map((text, at) => warning(at === 0 ? 'settings' : `settings ${at + 1}`, text, MEND));
  return [fine('settings', there ? `${path}: every value counts` : `no ${path} yet: the defaults apply`)];
};
