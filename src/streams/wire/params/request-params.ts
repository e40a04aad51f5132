// Checks the parameters of every request, because the supervisor does not trust its clients.
import type { Command, Count, Selection } from '../../domain/command.ts';
import { MOST_REPLICAS } from '../../domain/declared/manifest.ts';
import type { Reading } from '../../domain/declared/manifest.ts';
import { instant } from '../../domain/time.ts';
import { accept, checkFields, checkText, isFields, refuse, shown, type Checked } from './checked-fields.ts';
import { checkActed } from './acted-params.ts';
import { checkReportCommand } from './report-params.ts';
import { checkSpawn } from './spawn-params.ts';
import type { LeftoverKind, PurgeQuery, SamplesQuery, UpgradeOrder } from '../protocol.ts';

const SELECTION_KEYS = ['projects', 'services', 'manifest'] as const;
const LISTS = ['projects', 'services'] as const;

/** The maximum number of names in one list of a request. No supervisor has that many services. */
const MOST_NAMES = 10_000;

const checkNames = (value: unknown, path: string): Checked<readonly string[]> => {
  if (!Array.isArray(value)) return refuse(`${path}: ${shown(value)} is not a list`);
  if (value.length === 0) return refuse(`${path}: is empty`);
  if (value.length > MOST_NAMES) return refuse(`${path}: has more than ${MOST_NAMES} entries`);
  const names: string[] = [];
  for (const [index, entry] of value.entries()) {
    const text = checkText(entry, `${path}.${index}`);
    if (!text.ok) return text;
    names.push(text.value);
  }
  return accept(names);
};

/** Returns the checked selection. An absent selection means all services. An unknown key is refused. */
export const checkSelection = (value: unknown, path: string): Checked<Selection> => {
  const fields = checkFields(value ?? {}, path, SELECTION_KEYS);
  if (!fields.ok) return fields;
  const selection: { -readonly [K in keyof Selection]: Selection[K] } = {};
  for (const key of LISTS) {
    const given = fields.value[key];
    if (given === undefined) continue;
    const names = checkNames(given, `${path}.${key}`);
    if (!names.ok) return names;
    selection[key] = names.value;
  }
  const { manifest } = fields.value;
  if (manifest === undefined) return accept(selection);
  const text = checkText(manifest, `${path}.manifest`);
  return text.ok ? accept({ ...selection, manifest: text.value }) : text;
};

/** Returns the checked query for samples. `since`: ms since 1970. */
export const checkSamplesQuery = (value: unknown): Checked<SamplesQuery> => {
  const fields = checkFields(value, 'params', ['selection', 'since']);
  if (!fields.ok) return fields;
  const { since } = fields.value;
  if (typeof since !== 'number' || !Number.isSafeInteger(since))
    return refuse(`params.since: ${shown(since)} is not a moment`);
  const selection = checkSelection(fields.value['selection'], 'params.selection');
  return selection.ok ? accept({ selection: selection.value, since: instant(since) }) : selection;
};

const checkPath = (value: unknown, path: string): Checked<string> => {
  const text = checkText(value, path);
  return !text.ok || text.value.startsWith('/')
    ? text
    : refuse(`${path}: ${shown(value)} is no absolute path`);
};

/** Returns the checked parameters of an upgrade. Unknown keys are ignored: a newer client may send them. */
export const checkUpgrade = (value: unknown): Checked<UpgradeOrder> => {
  if (!isFields(value)) return refuse(`params: ${shown(value)} is not an object`);
  const node = checkPath(value['node'], 'params.node');
  if (!node.ok) return node;
  const program = checkPath(value['program'], 'params.program');
  return program.ok ? accept({ node: node.value, program: program.value }) : program;
};

export const LEFTOVER_KINDS: readonly LeftoverKind[] = ['logs', 'state'];

/** Returns the checked query. Without `projects`, the query is about all projects that are not registered. */
export const checkPurgeQuery = (value: unknown): Checked<PurgeQuery> => {
  const fields = checkFields(value, 'params', ['projects', 'kinds']);
  if (!fields.ok) return fields;
  const kinds = checkNames(fields.value['kinds'], 'params.kinds');
  if (!kinds.ok) return kinds;
  const known = LEFTOVER_KINDS.filter((kind) => kinds.value.includes(kind));
  if (known.length < kinds.value.length)
    return refuse(`params.kinds: only ${LEFTOVER_KINDS.join(' and ')} are known`);
  if (fields.value['projects'] === undefined) return accept({ kinds: known });
  const projects = checkNames(fields.value['projects'], 'params.projects');
  return projects.ok ? accept({ kinds: known, projects: projects.value }) : projects;
};

const selecting =
  (type: 'stop' | 'rollback' | 'plan') =>
  (value: unknown): Checked<Command> => {
    const fields = checkFields(value, 'params', ['type', 'selection']);
    if (!fields.ok) return fields;
    const selection = checkSelection(fields.value['selection'], 'params.selection');
    return selection.ok ? accept({ type, selection: selection.value }) : selection;
  };

/**
 * Returns, as `within`, the checked patterns of the services to which a client limits its command. Returns an
 * empty object if there are none.
 */
const checkWithin = (given: unknown): Checked<{ readonly within?: readonly string[] }> => {
  if (given === undefined) return accept({});
  const within = checkNames(given, 'params.within');
  return within.ok ? accept({ within: within.value }) : within;
};

const apply = (value: unknown): Checked<Command> => {
  const fields = checkFields(value, 'params', ['type', 'selection', 'within']);
  if (!fields.ok) return fields;
  const selection = checkSelection(fields.value['selection'], 'params.selection');
  if (!selection.ok) return selection;
  const within = checkWithin(fields.value['within']);
  return within.ok ? accept({ type: 'apply', selection: selection.value, ...within.value }) : within;
};

const READING_KEYS = ['files', 'profiles'] as const;

const checkReading = (value: unknown, path: string): Checked<Reading> => {
  const fields = checkFields(value, path, READING_KEYS);
  if (!fields.ok) return fields;
  const reading: { -readonly [K in keyof Reading]: Reading[K] } = {};
  for (const key of READING_KEYS) {
    const given = fields.value[key];
    if (given === undefined) continue;
    const isNone = Array.isArray(given) && given.length === 0;
    const names = isNone ? accept([]) : checkNames(given, `${path}.${key}`);
    if (!names.ok) return names;
    reading[key] = names.value;
  }
  return accept(reading);
};

const start = (value: unknown): Checked<Command> => {
  const fields = checkFields(value, 'params', ['type', 'selection', 'reading', 'within']);
  if (!fields.ok) return fields;
  const selection = checkSelection(fields.value['selection'], 'params.selection');
  if (!selection.ok) return selection;
  const within = checkWithin(fields.value['within']);
  if (!within.ok) return within;
  const command = { type: 'start', selection: selection.value, ...within.value } as const;
  if (fields.value['reading'] === undefined) return accept(command);
  const reading = checkReading(fields.value['reading'], 'params.reading');
  return reading.ok ? accept({ ...command, reading: reading.value }) : reading;
};

const restart = (value: unknown): Checked<Command> => {
  const fields = checkFields(value, 'params', ['type', 'selection', 'withDependents', 'within']);
  if (!fields.ok) return fields;
  const { withDependents = false } = fields.value;
  if (typeof withDependents !== 'boolean')
    return refuse(`params.withDependents: ${shown(withDependents)} is not true or false`);
  const selection = checkSelection(fields.value['selection'], 'params.selection');
  if (!selection.ok) return selection;
  const within = checkWithin(fields.value['within']);
  const more = withDependents ? { withDependents } : {};
  return within.ok
    ? accept({ type: 'restart', selection: selection.value, ...more, ...within.value })
    : within;
};

const bare =
  (type: 'shutdown') =>
  (value: unknown): Checked<Command> => {
    const fields = checkFields(value, 'params', ['type']);
    return fields.ok ? accept({ type }) : fields;
  };

const forget = (value: unknown): Checked<Command> => {
  const fields = checkFields(value, 'params', ['type', 'manifest']);
  if (!fields.ok) return fields;
  const manifest = checkText(fields.value['manifest'], 'params.manifest');
  return manifest.ok ? accept({ type: 'forget', manifest: manifest.value }) : manifest;
};

const checkCount = (value: unknown, path: string): Checked<Count> => {
  const fields = checkFields(value, path, ['service', 'replicas']);
  if (!fields.ok) return fields;
  const service = checkText(fields.value['service'], `${path}.service`);
  if (!service.ok) return service;
  const { replicas } = fields.value;
  const isCount = typeof replicas === 'number' && Number.isInteger(replicas);
  return isCount && replicas >= 1 && replicas <= MOST_REPLICAS
    ? accept({ service: service.value, replicas })
    : refuse(`${path}.replicas: ${shown(replicas)} is not a whole number from 1 to ${MOST_REPLICAS}`);
};

const checkCounts = (value: unknown): Checked<readonly Count[]> => {
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_NAMES)
    return refuse(`params.counts: ${shown(value)} is not a list of counts`);
  const counts: Count[] = [];
  for (const [index, entry] of value.entries()) {
    const count = checkCount(entry, `params.counts.${index}`);
    if (!count.ok) return count;
    counts.push(count.value);
  }
  return accept(counts);
};

const scale = (value: unknown): Checked<Command> => {
  const fields = checkFields(value, 'params', ['type', 'counts', 'projects']);
  if (!fields.ok) return fields;
  const counts = checkCounts(fields.value['counts']);
  if (!counts.ok) return counts;
  if (fields.value['projects'] === undefined) return accept({ type: 'scale', counts: counts.value });
  const projects = checkNames(fields.value['projects'], 'params.projects');
  return projects.ok ? accept({ type: 'scale', counts: counts.value, projects: projects.value }) : projects;
};

const MOST_TIMES = 1_000_000;

const called = (value: unknown): Checked<Command> => {
  const fields = checkFields(value, 'params', ['type', 'call', 'times']);
  if (!fields.ok) return fields;
  const { times } = fields.value;
  const call = checkText(fields.value['call'], 'params.call');
  if (!call.ok) return call;
  const isTimes = typeof times === 'number' && Number.isInteger(times) && times >= 1 && times <= MOST_TIMES;
  return isTimes
    ? accept({ type: 'called', call: call.value, times })
    : refuse(`params.times: ${shown(times)} is not a whole number from 1 to ${MOST_TIMES}`);
};

const COMMANDS: Readonly<Record<Command['type'], (value: unknown) => Checked<Command>>> = {
  start,
  stop: selecting('stop'),
  restart,
  apply,
  rollback: selecting('rollback'),
  plan: selecting('plan'),
  scale,
  shutdown: bare('shutdown'),
  forget,
  spawn: checkSpawn,
  report: checkReportCommand,
  acted: checkActed,
  called,
};

const isCommandType = (type: unknown): type is Command['type'] =>
  typeof type === 'string' && Object.hasOwn(COMMANDS, type);

/** Returns the command, checked by the rules for its `type`. An error lists the known types. */
export const checkCommand = (value: unknown): Checked<Command> => {
  const fields = checkFields(value, 'params', [
    'type',
    'selection',
    'reading',
    'manifest',
    'withDependents',
    'within',
    'order',
    'report',
    'acts',
    'call',
    'times',
    'counts',
    'projects',
  ]);
  if (!fields.ok) return fields;
  const type = fields.value['type'];
  if (isCommandType(type)) return COMMANDS[type](value);
  return refuse(`params.type: ${shown(type)} is not one of ${Object.keys(COMMANDS).join(', ')}`);
};
