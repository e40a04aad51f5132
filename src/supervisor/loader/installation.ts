// Finds out how this program was installed. Packaging writes the kind of installation into the package.json
// in the program's directory. In a clone of the repository, the package.json contains no such kind.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const PACKAGES = ['deb', 'npm', 'tarball'] as const;

export interface Installation {
  readonly kind: 'clone' | (typeof PACKAGES)[number];
  /** Directory of the program's files. */
  readonly directory: string;
}

const saidIn = (file: string): unknown => {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { readonly installation?: unknown }).installation;
  } catch {
    return undefined;
  }
};

/** Returns how the program `script` was installed. */
export const installationOf = (script: string): Installation => {
  const directory = dirname(script);
  const said = saidIn(join(directory, 'package.json'));
  return { kind: PACKAGES.find((kind) => kind === said) ?? 'clone', directory };
};

/**
 * Returns advice for an installation with missing, damaged or unsafe files. `what`: the npm script that makes
 * these files in a clone.
 */
export const mendInstallation = ({ kind, directory }: Installation, what: 'addon' | 'build'): string =>
  ({
    clone: `npm run ${what}, in ${dirname(directory)}`,
    deb: 'apt-get install --reinstall sup',
    npm: 'npm install -g with the tarball of sup, again; where no prebuilt addon fits, npm compiles one if python3, make and g++ are installed',
    tarball:
      'unpack the tarball of sup again; for root into a directory that only root may write, such as /opt',
  })[kind];
