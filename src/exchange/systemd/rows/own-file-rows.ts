// Table rows that translate systemd's settings about credentials and the state directory to keys of `sup`,
// and back.
import { isAbsolute } from 'node:path';
import type { Setting, Translation } from '../../key-table.ts';
import { literalText } from '../../manifest-text.ts';
import { CREDENTIAL_NAME } from '../../../manifest/decode/scalars/key-rules.ts';
import {
  linesOf,
  lostRow,
  unneededRow,
  wordsIn,
  type UnitContext,
  type UnitExport,
  type UnitRow,
} from '../unit-context.ts';
import { unitWord } from '../unit-words.ts';

/**
 * Translates the files of credentials. A directory is lost. A file that is missing or cannot be read is not
 * lost, because the start reports it.
 */
const credentials = (setting: Setting, { deps }: UnitContext): Translation => {
  const pairs = linesOf(setting).map((line) => /^([^:]*):(.*)$/.exec(line)?.slice(1) ?? [line]);
  const usable = pairs.filter(
    ([name = '', path = '']) =>
      CREDENTIAL_NAME.pattern.test(name) && isAbsolute(path) && !deps.isDirectory(path),
  );
  const others = pairs.filter((pair) => !usable.includes(pair)).map(([name]) => name);
  const files = usable.map(([name = '', file = '']) => [name, { file: literalText(file) }]);
  return {
    ...(files.length > 0 && {
      keys: { credentials: Object.fromEntries(files) as Record<string, { file: string }> },
    }),
    ...(others.length > 0 && {
      lost: `${others.join(', ')}: a credential has a name and the absolute path of one file`,
    }),
  };
};

const pathWord = (path: string): string => path.replaceAll('%', '%%');

const lines = (files: Readonly<Record<string, string>> = {}): readonly string[] =>
  Object.entries(files).map(([name, file]) => `${name}:${pathWord(file)}`);

const credentialsWritten = ({ spec: { env, privilege } }: UnitExport): Translation => {
  const [files, secrets] = [lines(privilege.credentials), lines(env.secrets)];
  if (files.length + secrets.length === 0) return {};
  return {
    keys: { 'Service.LoadCredential': [...files, ...secrets] },
    ...(secrets.length > 0 && {
      changed:
        'the program finds each value of env.secrets in a file of $CREDENTIALS_DIRECTORY, not in a variable',
    }),
  };
};

/** The directory below which systemd makes the directories of `StateDirectory=`. */
const STATE = '/var/lib/';

const stateDirectory = (setting: Setting, { value }: UnitContext): Translation => {
  const [name = '', ...others] = wordsIn(setting);
  if (others.length > 0)
    return { lost: `state_dir is one directory: make ${others.join(', ')} once, by hand` };
  if (name.includes(':')) return { lost: `${name}: state_dir makes no link, and no read-only directory` };
  const mode = value('StateDirectoryMode') ?? '0755';
  return {
    keys: { state_dir: literalText(`${STATE}${name}`) },
    ...(!/^0*700$/.test(mode) && { changed: `a new directory has mode 0700, not ${mode}` }),
  };
};

const stateWritten = ({ spec: { stateDir } }: UnitExport): Translation => {
  if (stateDir === undefined) return {};
  if (!stateDir.startsWith(STATE) || stateDir.includes(':'))
    return { lost: `a unit has its state below ${STATE}, without a colon: make ${stateDir} by hand` };
  const name = unitWord(stateDir.slice(STATE.length)).replaceAll('{instance}', '%i');
  return { keys: { 'Service.StateDirectory': name, 'Service.StateDirectoryMode': '0700' } };
};

export const OWN_FILE_ROWS: readonly UnitRow[] = [
  {
    theirs: 'LoadCredential',
    ours: ['credentials', 'env.secrets'],
    note: 'Has an effect only with `--sys`. For each name there is one file with an absolute path. An export writes `env.secrets` as credentials, too.',
    read: credentials,
    write: credentialsWritten,
  },
  lostRow(
    'LoadCredentialEncrypted SetCredential SetCredentialEncrypted ImportCredential',
    'sup decrypts nothing and keeps no value: write it to a file for credentials',
  ),
  {
    theirs: 'StateDirectory',
    ours: ['state_dir'],
    note: 'One directory below `/var/lib`. A new directory has mode 0700.',
    read: stateDirectory,
    write: stateWritten,
  },
  {
    theirs: 'StateDirectoryMode',
    ours: [],
    note: 'Belongs to `StateDirectory`.',
    read: () => ({}),
  },
  lostRow(
    'RuntimeDirectory CacheDirectory LogsDirectory ConfigurationDirectory',
    'sup makes one directory for a service, state_dir: make the others once, or in deployment.pre_start',
  ),
  unneededRow(
    'RuntimeDirectoryMode CacheDirectoryMode LogsDirectoryMode ConfigurationDirectoryMode RuntimeDirectoryPreserve',
    'Belongs to the directories above.',
  ),
];
