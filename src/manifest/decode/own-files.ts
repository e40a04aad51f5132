// Decodes `credentials` and `state_dir` of a service (`docs/manifest.md`). Credentials are files with
// contents that only this service gets. `state_dir` is a directory for the data of the service. The
// declaration has only the paths, never the contents.
import { lstatSync, type Stats } from 'node:fs';
import { isPrivileged } from '../read/reader.ts';
import { resolve } from 'node:path';
import { printable } from '../check/problem-report.ts';
import { refuseUnsafePlace } from '../check/safe-place.ts';
import type { isolation } from './privilege-objects.ts';
import { CREDENTIAL_NAME } from './scalars/key-rules.ts';
import { text } from './scalars/text.ts';
import { type Located, located, record } from './shapes/composite.ts';
import {
  reportAt,
  reportAtKey,
  spotBelow,
  type DecodeContext,
  type Spot,
  type ValueOf,
} from './shapes/decoder.ts';
import { required } from './shapes/fields.ts';
import { object } from './shapes/object.ts';
import { readTrustedBytes, secretTrouble } from '../../os/files/trusted-file.ts';
import { MOST_CREDENTIAL_BYTES } from '../../streams/launch/mounts/credential-steps.ts';

export const credential = object({
  name: 'credential',
  hint: 'the content is in a file: NAME: { file: path }',
  fields: {
    file: required(
      text,
      "File with the content, relative to the manifest's directory. It may hold any bytes.",
    ),
  },
});

export const credentials = record(CREDENTIAL_NAME, located(credential));

interface Declared {
  readonly credentials?: ReadonlyMap<string, Located<{ readonly file: string }>>;
  readonly isolation?: ValueOf<typeof isolation>;
}

const warn = (spot: Spot, context: DecodeContext, message: string): void =>
  reportAt(spot, context, {
    code: 'ERR0220',
    severity: 'warning',
    message: `${message}: the service will not be started`,
    hint: 'it is looked at again at each start',
  });

/**
 * Warns about files that cannot be used. Only `sup validate` does this: a start reads the files later anyway.
 */
const warnOfUnusable = (
  files: NonNullable<Declared['credentials']>,
  spot: Spot,
  context: DecodeContext,
): void => {
  let bytes = 0;
  for (const { spot: at, value } of files.values()) {
    const file = resolve(context.directory, value.file);
    const reading = readTrustedBytes(file, context.reader, MOST_CREDENTIAL_BYTES);
    if (reading.tag === 'read') bytes += reading.content.length;
    else {
      const trouble = secretTrouble(reading, MOST_CREDENTIAL_BYTES);
      warn(spotBelow(at, 'file'), context, `${printable(file)} cannot be used: ${trouble}`);
    }
  }
  if (bytes > MOST_CREDENTIAL_BYTES)
    warn(spot, context, `the files have ${bytes} bytes together; they may have ${MOST_CREDENTIAL_BYTES}`);
};

/**
 * Refuses credentials of a service without a mount namespace: other services could read them. `spot`: the
 * service.
 */
export const checkCredentials = (
  { credentials: files, isolation }: Declared,
  spot: Spot,
  context: DecodeContext,
): void => {
  if (files === undefined || files.size === 0) return;
  const at = spotBelow(spot, 'credentials');
  if (!isPrivileged(context.reader) && isolation?.user !== true)
    reportAtKey(at, context, {
      code: 'ERR0748',
      message: 'need a mount namespace, which there is with --sys or isolation.user',
      hint: 'start the supervisor with --sys, or declare isolation: { user: true }, or use env.secrets',
    });
  if (context.reader.machine !== undefined) warnOfUnusable(files, at, context);
};

/** Directories that belong to the system as a whole. */
const OF_SYSTEM: ReadonlySet<string> = new Set(
  `/ /bin /boot /etc /home /lib /lib32 /lib64 /media /mnt /opt /root /run /sbin /srv /tmp /usr /usr/bin /usr/lib
  /usr/local /usr/sbin /usr/share /var /var/cache /var/lib /var/log /var/run /var/spool /var/tmp`
    .trim()
    .split(/\s+/),
);
const OF_KERNEL = /^\/(?:dev|proc|sys)(?:\/|$)/;

/** Returns the status of the file at the path, without following a link; `undefined` if it cannot be read. */
const statOf = (path: string): Stats | undefined => {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
};

/** Refuses a state directory that belongs to the system, or that another user could redirect. */
export const checkStateDir = (
  { stateDir }: { readonly stateDir?: Located<string> },
  context: DecodeContext,
): void => {
  if (stateDir === undefined) return;
  const path = resolve(context.directory, stateDir.value);
  if (OF_SYSTEM.has(path) || OF_KERNEL.test(path))
    reportAt(stateDir.spot, context, {
      code: 'ERR0749',
      message: `${printable(path)} is a directory of the system`,
      hint: 'name one for this service alone, such as /var/lib/<service>',
    });
  else refuseUnsafePlace(path, stateDir.spot, context);
  const found = context.reader.machine && statOf(path);
  if (found?.isDirectory() === false) warn(stateDir.spot, context, `${printable(path)} is no directory`);
};
