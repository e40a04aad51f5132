// `sup validate`: loads and checks the manifest as `start` does, and stops there: `${VAR}` falls back to the environment
// of the supervisor while one runs. Exit status 0 valid, 1 invalid.
import type { LoadPorts } from '../../../sources/manifest/load.ts';
import { ClientFailure } from '../../client/client-failure.ts';
import { supervisorEnvironment } from '../../client/supervisor-process.ts';
import type { Context } from '../../context.ts';
import type { Handler } from '../../handler.ts';
import { remark } from '../../print.ts';
import { inheritedEnvironment } from '../../running/inherited.ts';
import { loadPorts, manifestArgs, outputOf } from '../../selection/manifest-argument.ts';
import { validateManifest } from '../../manifests/validate-manifest.ts';

type Environment = LoadPorts['environment'];

/** A supervisor that does not answer is no reason not to check a file. */
const environmentFor = async (context: Context): Promise<Environment> => {
  try {
    return await inheritedEnvironment(context);
  } catch (thrown) {
    if (!(thrown instanceof ClientFailure)) throw thrown;
    remark(context, `note: checked with the variables of this shell: ${thrown.document.message}`);
    return context.world.environment;
  }
};

export const validate: Handler = async (parsed, context) => {
  const args = { ...manifestArgs(parsed, context), json: context.json };
  const environment = await environmentFor(context);
  const shell = supervisorEnvironment(context.world.environment, context.dataDir);
  return validateManifest(args, outputOf(context), { ...loadPorts(context), environment, shell });
};
