// How a command line has a manifest read: the profiles of `--profile` or `SUP_PROFILES`
// (`docs/manifest.md`, "Profiles").
import { usageError } from '../grammar/usage-error.ts';
import type { Parsed } from '../grammar/parsed-line.ts';
import type { Context } from '../context.ts';
import { remark } from '../print.ts';
import { cleanNames, profilesIn } from '../../os/process-environment.ts';
import { peekReadings } from '../../sources/store/read-store.ts';
import type { Selection } from '../../streams/domain/command.ts';
import type { Reading } from '../../streams/domain/declared/manifest.ts';

/** Returns the reading that the command line asks for; empty if it stays as it is registered. */
export const askedReading = (
  { values: { profile } }: Parsed,
  { world: { environment } }: Context,
): Reading => {
  const profiles = profile === undefined ? profilesIn(environment) : cleanNames(profile);
  return profiles === undefined ? {} : { profiles };
};

/** Returns the reading of a manifest: as the command line asks, or else as it is registered. */
export const readingOf = (manifest: string, asked: Reading, { dataDir }: Context): Reading => ({
  ...peekReadings(dataDir)[manifest],
  ...asked,
});

/** Returns the reading for `sup start`. Says so if profiles of an earlier start are used again. */
export const startReading = (parsed: Parsed, context: Context, { manifest }: Selection): Reading => {
  const asked = askedReading(parsed, context);
  if (manifest === undefined) {
    if (parsed.values.profile === undefined) return {};
    throw usageError(
      '--profile is about one manifest, and none is named',
      'sup start -c <file> --profile <name>',
    );
  }
  const { profiles = [] } = readingOf(manifest, {}, context);
  if (asked.profiles === undefined && profiles.length > 0)
    remark(
      context,
      `profiles as before: ${profiles.join(', ')}; others with --profile <name>, none with SUP_PROFILES= sup start`,
    );
  return asked;
};
