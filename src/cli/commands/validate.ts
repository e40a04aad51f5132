// `sup validate`: loads and checks the manifest as `start` does, and stops there. Exit status 0 valid, 1 invalid.
import { loadManifest, type LoadPorts } from '../../sources/manifest/load.ts';
import type { LoadResult, Manifest } from '../../streams/domain/manifest.ts';
import { problemsDocument, renderProblems } from '../render/problems.ts';
import { EXIT } from '../exit-status.ts';
import type { Handler } from '../handler.ts';
import {
  loadPorts,
  manifestArgs,
  outputOf,
  whichManifest,
  type ManifestArgs,
  type Output,
} from '../selection/manifest-argument.ts';

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

const validLine = (manifest: Manifest): string => {
  const projects = count(manifest.projects.length, 'project');
  return `${manifest.path}: valid (${projects}, ${count(manifest.services.length, 'service')})\n`;
};

const invalidLine = ({ path, problems }: LoadResult): string => {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  return `\n${path}: invalid (${count(errors, 'error')})\n`;
};

const tellPeople = (load: LoadResult, out: Output): void => {
  if (load.problems.length > 0) out.stderr(renderProblems(load.problems, { color: out.color }));
  if (load.manifest === undefined) out.stderr(invalidLine(load));
  else out.stdout(validLine(load.manifest));
};

export const validateCommand = (
  args: ManifestArgs & { readonly json: boolean },
  out: Output,
  ports: LoadPorts,
): number => {
  const load = loadManifest(whichManifest(args), ports);
  if (args.json) out.stdout(`${JSON.stringify(problemsDocument(load.problems))}\n`);
  else tellPeople(load, out);
  return load.manifest === undefined ? EXIT.failed : EXIT.done;
};

// eslint-disable-next-line @typescript-eslint/require-await -- what it throws is to reject, as in every handler
export const validate: Handler = async (parsed, context) => {
  const args = { ...manifestArgs(parsed, context), json: context.json };
  return validateCommand(args, outputOf(context), loadPorts(context));
};
