// Provides the credentials of a service: reads the files while the launcher still has the rights, and puts
// the contents into a file system in memory, in the service's own mount namespace (`docs/manifest.md`,
// "credentials").
// Rules: `docs/behaviour.md`, "Starting", "Secrets"; `docs/behaviour.md`, "Trust".
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  lstatSync,
  openSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from '../../../os/files/directories.ts';
import { troubleForWriting } from '../../../os/files/trusted-directories.ts';
import { readTrustedBytes, secretTrouble } from '../../../os/files/trusted-file.ts';
import type { Libc } from '../../../os/libc/libc.ts';
import { mountSealed } from '../../../os/libc/namespace-calls.ts';
import { messageOf } from '../../../streams/domain/errors/thrown.ts';
import type { LaunchStep } from '../../../streams/launch/launch-step.ts';
import { MOST_CREDENTIAL_BYTES } from '../../../streams/launch/mounts/credential-steps.ts';
import { StepRefused } from './confine.ts';

type Step = Extract<LaunchStep, { tag: 'credentials' }>;

interface Credential {
  readonly name: string;
  readonly content: Buffer;
}

const KEY = 'credentials';
const OF_DIRECTORY = 0o500;
const OF_FILE = 0o400;
/** The memory that even the smallest file takes: one page. */
const PAGE_BYTES = 4096;

/**
 * The end of the message about an untrusted file if the supervisor runs without `--sys`. Then the launcher
 * reads the file in a user namespace, which maps only one user.
 */
const INSIDE = "; without --sys the file must be the supervisor's own";

/** Returns the credentials. Throws `StepRefused` for a file that cannot be used. */
const read = ({ files, sys }: Step): readonly Credential[] => {
  let room = MOST_CREDENTIAL_BYTES;
  return files.map(({ name, file }) => {
    const reading = readTrustedBytes(file, { uid: process.getuid?.() ?? 0, sys }, MOST_CREDENTIAL_BYTES);
    if (reading.tag !== 'read') {
      const strange = reading.tag === 'untrusted' && !sys ? INSIDE : '';
      const trouble = secretTrouble(reading, MOST_CREDENTIAL_BYTES);
      throw new StepRefused(`${KEY}.${name}`, `${file} cannot be used: ${trouble}${strange}`);
    }
    room -= reading.content.length;
    if (room < 0) throw new StepRefused(KEY, `together they have more than ${MOST_CREDENTIAL_BYTES} bytes`);
    return { name, content: reading.content };
  });
};

/** Makes the directory over which the credentials are mounted. */
const makePlace = ({ place, sys }: Step): void => {
  const trouble = sys ? troubleForWriting(place, { sys }) : undefined;
  if (trouble !== undefined) throw new Error(trouble);
  makeDirectory(place, 0o755);
  if (!lstatSync(place).isDirectory()) throw new Error('it is no directory');
};

const writeWhole = (descriptor: number, content: Buffer): void => {
  for (let at = 0; at < content.length;) at += writeSync(descriptor, content, at);
};

const write = ({ place, owner }: Step, { name, content }: Credential): void => {
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  const descriptor = openSync(join(place, name), O_WRONLY | O_CREAT | O_EXCL, OF_FILE);
  try {
    writeWhole(descriptor, content);
    fchmodSync(descriptor, OF_FILE);
    if (owner !== undefined) fchownSync(descriptor, owner.uid, owner.gid);
  } finally {
    closeSync(descriptor);
  }
};

const mount = (libc: Libc, step: Step, credentials: readonly Credential[]): void => {
  const { place, owner } = step;
  makePlace(step);
  const bytes = MOST_CREDENTIAL_BYTES + credentials.length * PAGE_BYTES;
  const room = `size=${bytes},nr_inodes=${credentials.length + 2}`;
  mountSealed(libc, { place, room }, () => {
    for (const credential of credentials) write(step, credential);
    chmodSync(place, OF_DIRECTORY);
    if (owner !== undefined) chownSync(place, owner.uid, owner.gid);
  });
};

/** Mounts the credentials. Throws `StepRefused` if a file cannot be read, or the kernel refuses the mount. */
export const provideCredentials = (libc: Libc, step: Step): void => {
  const credentials = read(step);
  try {
    mount(libc, step, credentials);
  } catch (error) {
    throw new StepRefused(KEY, `cannot be mounted over ${step.place}: ${messageOf(error)}`);
  }
};
