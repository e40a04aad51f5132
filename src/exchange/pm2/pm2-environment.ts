// Translates the environment of a PM2 app, and the filter for the variables that it inherits.
import { type Pm2App, shownValue, spellingsOf, valueOf, wordsOf } from './pm2-app.ts';
import { isCounted } from './pm2-instances.ts';
import { isPlainMap, type Plain, type Setting, type Translation, type KeyRow } from '../key-table.ts';
import { literalText, isVariableName, variableKeys } from '../manifest-text.ts';

/**
 * Returns the variables as PM2 passes them to the program. A value that is not text becomes JSON. A variable
 * with the value `null` is left out.
 */
const variablesIn = (env: Readonly<Record<string, Plain>>): readonly (readonly [string, string])[] =>
  Object.entries(env)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name, shownValue(value)]);

const readEnv = ({ value }: Setting, app: Pm2App): Translation => {
  if (!isPlainMap(value)) return value === null ? {} : { lost: 'env is no map, so it names no variables' };
  const all = variablesIn(value).filter(([name]) => !isCounted(app, name));
  return variableKeys(all.map(([name, text]) => [name, literalText(text)]));
};

const readFilter = ({ value }: Setting, app: Pm2App): Translation => {
  if (value === true)
    return {
      keys: { 'env.clean': true },
      changed: 'nothing is inherited, as PM2 documents it; PM2 7 itself passes all variables on',
    };
  const names = typeof value === 'string' ? [value] : wordsOf(app, 'filter_env');
  const fit = names.filter(isVariableName);
  if (fit.length === 0) return {};
  return {
    keys: { 'env.strip': fit },
    ...(typeof value !== 'string' && {
      changed: 'PM2 removes each variable whose name contains one of the words; strip needs whole names',
    }),
  };
};

/** The rows about variables. */
export const ENVIRONMENT_ROWS: readonly KeyRow<Pm2App, never>[] = [
  {
    theirs: 'env',
    ours: ['env.vars'],
    note: 'A value that is a map or a list becomes JSON, as in PM2.',
    read: readEnv,
  },
  {
    theirs: 'env_*',
    ours: ['env.file'],
    note: 'PM2 uses these variables with `--env <name>`. They are lost, because the import uses only `env`. Write the variables into a file `<name>.env`, and declare `env.file: "${STAGE:-development}.env"`.',
    read: ({ key }) => ({
      lost:
        `only env is used: write these variables into ${key.slice('env_'.length)}.env, and env.file: ` +
        '"${STAGE:-development}.env"',
    }),
  },
  {
    theirs: 'port',
    ours: ['env.vars'],
    note: 'Becomes the variable `PORT`.',
    read: ({ value }) => ({ keys: { 'env.vars': { PORT: shownValue(value) } } }),
  },
  {
    theirs: 'filter_env',
    also: spellingsOf('filter_env'),
    ours: ['env.strip', 'env.clean'],
    note: '`env.strip` removes variables with exactly these names; PM2 removes every variable whose name contains a word of the list.',
    read: readFilter,
  },
];

/** Returns a row for each key `env_<name>` of the app. The table itself has only the pattern `env_*`. */
export const stageRows = (app: Pm2App): readonly KeyRow<Pm2App, never>[] =>
  ENVIRONMENT_ROWS.filter(({ theirs }) => theirs === 'env_*').flatMap((row) =>
    app.settings
      .filter(({ key }) => /^env_\S+$/.test(key) && valueOf(app, key) !== undefined)
      .map(({ key }) => ({ ...row, theirs: key })),
  );
