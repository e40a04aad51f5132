// `sup validate`, `sup schema`, `sup migrate`: what concerns a manifest alone, without a supervisor.
import type { LoadPorts } from '../../sources/manifest/load.ts';
import type { Context } from '../context.ts';
import type { Handler } from './handler.ts';

interface Out {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  readonly color: boolean;
}

const outOf = ({ world, colorOn }: Context): Out => ({
  stdout: world.stdout.write,
  stderr: world.stderr.write,
  color: colorOn(world.stdout),
});

const loadPorts = ({ world, sys }: Context): LoadPorts => ({
  environment: world.environment,
  uid: world.uid,
  sys,
});

export const validate: Handler = async ({ values: { config } }, context) => {
  const { validateCommand } = await import('./validate.ts');
  const { json, world } = context;
  const args = { json, directory: world.directory, ...(config === undefined ? {} : { config }) };
  return validateCommand(args, outOf(context), loadPorts(context));
};

export const schema: Handler = async (_parsed, context) => {
  const { schemaCommand } = await import('./schema.ts');
  return schemaCommand(outOf(context));
};

export const migrate: Handler = async ({ values: { config }, flags }, context) => {
  const { migrateCommand } = await import('./migrate.ts');
  const { directory } = context.world;
  const args = { inPlace: flags.has('in-place'), directory, ...(config === undefined ? {} : { config }) };
  return migrateCommand(args, outOf(context), loadPorts(context));
};
