// Whether every line of `supervisor.xml` counts: what does not is left out by the next supervisor too, which warns of it.
import { fine, warning, type Finding } from './finding.ts';

interface SettingsFacts {
  readonly path: string;
  readonly there: boolean;
  /** Sentences, with the file. */
  readonly warnings: readonly string[];
}

const MEND =
  'docs/settings.md has every element; what is mended counts for the next supervisor, also for the one after: sup upgrade';

/** One finding for each thing that does not count; one alone where all does. */
export const judgeSettings = ({ path, there, warnings }: SettingsFacts): readonly Finding[] => {
  if (warnings.length > 0)
    return warnings.map((text, at) => warning(at === 0 ? 'settings' : `settings ${at + 1}`, text, MEND));
  return [fine('settings', there ? `${path}: every value counts` : `no ${path} yet: the defaults apply`)];
};
