// `sup supervise`: runs the supervisor in this process, for init systems and containers. Named manifests are
// checked, then registered and started.
import { createRequire } from 'node:module';
import type { Context, Handler } from '../context.ts';
import { usageError } from '../grammar/usage-error.ts';
import { valueOf, type Parsed } from '../grammar/parsed-line.ts';
import { requireOwn } from '../directory-owner.ts';
import { profilesIn } from '../../os/choose-data-directory.ts';
import { explicit, refuseBroken } from '../manifest-to-start.ts';
import { listenPlace } from '../../sinks/metrics/metrics-listener.ts';

/** Resolves to the paths of the manifests that the user named. Rejects if one of them is invalid. */
const manifestsIn = async ({ values, operands }: Parsed, context: Context): Promise<readonly string[]> => {
  const named = [...(values.config ?? []), ...operands];
  const paths = named.map((path) => explicit(path, context));
  const profiles = profilesIn(context.world.environment);
  for (const path of paths) await refuseBroken(context, path, profiles === undefined ? {} : { profiles });
  return paths;
};

const metricsFlag = (parsed: Parsed): readonly string[] => {
  const written = valueOf(parsed, 'metrics-listen');
  const names = parsed.values['metrics-host'] ?? [];
  if (written === undefined) {
    if (names.length === 0) return [];
    throw usageError('--metrics-host needs --metrics-listen', 'sup supervise --metrics-listen 9464');
  }
  if (listenPlace(written) === undefined)
    throw usageError(
      `--metrics-listen: "${written}" is not an address with a port`,
      '--metrics-listen 9464 is for this machine only; 0.0.0.0:9464 and [::]:9464 are for every machine',
    );
  return [`--metrics-listen=${written}`, ...names.map((name) => `--metrics-host=${name}`)];
};

/** Returns the option with which the supervisor prints the output of services; no option with `--quiet`. */
const outputFlag = ({ json, quiet, colorOn, world }: Context): readonly string[] => {
  if (quiet) return [];
  if (json) return ['--output=json'];
  return [colorOn(world.stdout) ? '--output=color' : '--output=plain'];
};

export const supervise: Handler = async (parsed, context) => {
  const { world, dataDir, sys, json } = context;
  requireOwn(context);
  const metrics = metricsFlag(parsed);
  const manifests = await manifestsIn(parsed, context);
  const output = manifests.length > 0 ? outputFlag(context) : [];
  const flags = [
    '--foreground',
    ...(sys ? ['--sys'] : []),
    ...(json ? ['--json'] : []),
    ...metrics,
    ...output,
  ];
  process.argv.splice(1, process.argv.length, world.supervisor, ...flags, ...manifests);
  process.env['SUP_DATA_DIR'] = dataDir;
  createRequire(world.supervisor)(world.supervisor);
  return undefined;
};
