// Imports ecosystem files of PM2: each app becomes a service.
import { cpus } from 'node:os';
import { basename, resolve } from 'node:path';
import { cronProblem } from '../../streams/cron/cron-expression.ts';
import { failure } from '../../streams/views/errors/command-failure.ts';
import { readSettings, startSection } from '../apply-table.ts';
import type { DraftService, ImportDeps, ImportFormat } from '../import-format.ts';
import { cleanName, cleanNames } from '../service-names.ts';
import type { SourceText } from '../source-texts.ts';
import { PM2_TITLE, type Pm2App, scheduleOf, settingOf, textOf } from './pm2-app.ts';
import { stageRows } from './pm2-environment.ts';
import { type AppSettings, declaredIn, type Ecosystem, exportedBy, isScript } from './pm2-source.ts';
import { APP_ROWS, FILE_ROWS, PM2_ROWS } from './pm2-table.ts';
import type { Loss } from '../key-table.ts';

interface Declared extends AppSettings {
  readonly file: SourceText;
}

/**
 * Returns the name that PM2 shows: the name of the app, or else the name of its script without the extension.
 * Throws ERR0802 for an app without a script.
 */
const titleOf = ({ settings, line, file: { path } }: Declared): string => {
  const script = textOf({ settings }, 'script');
  if (script === undefined || script === '')
    throw failure({ code: 'ERR0802', file: path, line, format: PM2_TITLE, detail: 'an app has no script' });
  const own = textOf({ settings }, 'name');
  return own === undefined || own === '' ? basename(script).replace(/(?<=.)\.[^.]*$/, '') : own;
};

const appOf = ({ settings, file }: Declared, service: string, deps: ImportDeps): Pm2App => {
  const directory = resolve(file.directory, textOf({ settings }, 'cwd') ?? '.');
  const workingDir = deps.workingDir(directory);
  return {
    ...{ service, settings, directory },
    path: deps.environment['PATH'] ?? '',
    processors: cpus().length,
    placed: (path) => deps.placed(path, directory),
    ...(workingDir !== undefined && { workingDir }),
  };
};

/** Returns the project for the namespace of an app. The namespace `default` becomes no project. */
const projectOf = ({ settings }: Declared): Pick<DraftService, 'project'> => {
  const namespace = textOf({ settings }, 'namespace') ?? 'default';
  return namespace === 'default' || namespace === '' ? {} : { project: cleanName(namespace) };
};

/** If the app has `cron_restart`, returns the service that restarts the app by this schedule. */
const restarterOf = (app: Pm2App, draft: DraftService): readonly DraftService[] => {
  const expression = scheduleOf(app);
  const setting = settingOf(app, 'cron_restart');
  if (setting === undefined || expression === undefined || cronProblem(expression, 'local') !== undefined)
    return [];
  const name = cleanName(`${app.service.slice(0, 56)}-restart`);
  const builder = startSection(name);
  const command = `sup restart --yes "$SUP_PROJECT/${app.service}"`;
  builder.add({ keys: { command, 'cron.expression': expression } }, setting);
  return [{ ...draft, name, section: builder.section() }];
};

const servicesOf = (declared: readonly Declared[], deps: ImportDeps): readonly DraftService[] => {
  const names = cleanNames(declared.map(titleOf));
  return declared.flatMap((each, index) => {
    const service = names[index] ?? '';
    const app = appOf(each, service, deps);
    const place = { file: each.file.path, line: each.line };
    const rows = [...stageRows(app), ...APP_ROWS];
    const section = readSettings(each.settings, rows, { service, place, context: app });
    const draft = { name: service, place, section, ...projectOf(each) };
    return [draft, ...restarterOf(app, draft)];
  });
};

const COUNTING: Omit<Loss, 'place'> = {
  effect: 'changed',
  key: 'max_restarts',
  message:
    'sup counts all restarts until a service has been ready for 60 s, PM2 only those after a run that was shorter ' +
    'than min_uptime',
};

/**
 * Returns the losses that belong to no app: keys of the file outside of the apps, and the remark that `sup`
 * counts restarts differently.
 */
const lossesOf = ({ others }: Ecosystem, { path }: SourceText): readonly Loss[] => {
  const place = { file: path, line: 1 };
  const { losses } = readSettings(others, FILE_ROWS, { place, context: undefined });
  return [{ ...COUNTING, place }, ...losses];
};

const looksLikeApps = (text: string): boolean =>
  text.split('\n').some((line) => /^[\s{]{0,20}["']?(?:apps|pm2)["']?\s{0,9}:/.test(line)) &&
  /\b(?:script|exec|cmd)["']?\s{0,9}:/.test(text);

/** Matches the usual names of ecosystem files in JSON and YAML. */
const NAMED = /^(?:ecosystem|pm2)[\w.-]*\.(?:json|ya?ml)$/;

export const pm2: ImportFormat = {
  name: 'pm2',
  title: PM2_TITLE,
  rows: PM2_ROWS,
  recognises: (file) => {
    const name = basename(file.path);
    if (/^ecosystem[\w.-]*\.[cm]?js$/.test(name) || /\.config\.[cm]?js$/.test(name)) return true;
    return NAMED.test(name)
      ? /\b(?:apps|script|pm2)\b/.test(file.text)
      : !isScript(file) && looksLikeApps(file.text);
  },
  read: async (files, deps) => {
    const declared: Declared[] = [];
    const losses: Loss[] = [];
    for (const file of files) {
      const found = isScript(file) ? exportedBy(file, await deps.evaluate(file)) : declaredIn(file);
      declared.push(...found.apps.map((app) => ({ ...app, file })));
      losses.push(...lossesOf(found, file));
    }
    return { services: servicesOf(declared, deps), losses };
  },
};
