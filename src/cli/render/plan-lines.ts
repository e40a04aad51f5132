// The text of `sup plan`: one line for each service, in order of execution, and below this line the changed
// keys of the service.
import type { ChangedKey, Plan, PlannedChange } from '../../streams/domain/apply-plan.ts';
import { liveNames } from '../../streams/rollout/without-restart.ts';
import { shownId, type ServiceId } from '../../streams/domain/ids.ts';
import type { StatusDocument } from '../../streams/wire/documents/documents.ts';
import { pasted, type Whose } from './pasteable-hints.ts';
import { counted } from './outcome-lines.ts';
import { shownLine } from '../../streams/views/words/foreign-text.ts';
import type { Ink, Paint } from '../../streams/views/words/paint.ts';
import { servicesIn, shownName } from '../../client/live-model.ts';
import { listedText } from '../../streams/domain/listed-text.ts';
import { lengthText } from '../../streams/domain/time.ts';
import type { StateWord } from '../../streams/wire/documents/basic-documents.ts';

const SIGNS: Readonly<Record<PlannedChange['action'], readonly [sign: string, ink: Ink]>> = {
  remove: ['-', 'red'],
  add: ['+', 'green'],
  change: ['~', 'yellow'],
};

const NOT_STARTED = { skipped: 'is skipped', scheduled: 'runs at its times only' } as const;

const REST = {
  skipped: 'skipped from then on',
  scheduled: 'runs at its times only',
  'called-off': 'its rollout is called off, and the run that is there goes on',
} as const;

/** Returns the text for a service with the dependency `need`, which does not run and will not be started. */
const inVainText = (need: ServiceId, rest: PlannedChange['rest']): string =>
  rest === 'kept'
    ? `goes on as it is: ${shownId(need)}, which it needs, does not run`
    : `waits for ${shownId(need)}, which does not run`;

const addedText = (rest: PlannedChange['rest']): string =>
  rest === 'skipped' || rest === 'scheduled' ? NOT_STARTED[rest] : 'starts';

/** Maximum number of changed keys that are named for one service. */
const MOST_KEYS = 3;

/**
 * Returns a text about a service that gets no new run. Returns `undefined` if it gets a new run, or if its
 * run continues unchanged (`kept`).
 */
const restText = ({ keys, rest }: PlannedChange): string | undefined => {
  if (rest !== 'live') return rest === undefined || rest === 'kept' ? undefined : REST[rest];
  return `takes up ${listedText(liveNames(keys), MOST_KEYS)} without a restart`;
};

const downText = (change: PlannedChange): string => {
  const { action, down, rest, waitsFor } = change;
  if (action === 'remove') return 'stops';
  if (waitsFor !== undefined) return inVainText(waitsFor, rest);
  if (action === 'add') return addedText(rest);
  const instead = restText(change);
  if (instead !== undefined) return instead;
  if (down === undefined) return 'down for as long as it takes, which is not known yet';
  return down === 0 ? 'not down' : `down for about ${lengthText(down)}`;
};

/** Returns the strategy by which the service gets a new run; empty if it gets none. */
const howText = ({ action, strategy, rest }: PlannedChange): string =>
  action !== 'change' || rest === 'live' ? '' : `, ${strategy}`;

/** Returns one line for each changed key. If only some of the keys need a new run, these keys are marked. */
const changedLines = ({ keys, rest }: PlannedChange): readonly string[] => {
  const isMixed = rest !== 'live' && keys.some(({ newRun }) => newRun) && !keys.every(({ newRun }) => newRun);
  return keys.map(
    (key) => `    ${shownLine(keyLine(key))}${isMixed && key.newRun ? ' (needs a new run)' : ''}`,
  );
};

/** Returns one line for a changed key, even if its value has several lines. */
const keyLine = ({ key, from, to }: ChangedKey): string => {
  if (from === undefined) return `${key}: ${to ?? ''} (new)`;
  return to === undefined ? `${key}: ${from} (gone)` : `${key}: ${from} → ${to}`;
};

const linesOf = (change: PlannedChange, paint: Paint): readonly string[] => {
  const { service, action } = change;
  const [sign, ink] = SIGNS[action];
  return [
    `${paint(ink, `${sign} ${shownId(service)}`)}  ${action}${howText(change)}: ${downText(change)}`,
    ...changedLines(change),
  ];
};

/** Maximum number of services that the line about services that do not run names. */
const MOST_NAMES = 10;

/** States of services that are down, except services that have finished or are skipped. */
const DOWN: ReadonlySet<StateWord> = new Set(['stopped', 'failed', 'breaker-open', 'lost']);

const downIn = ({ projects }: StatusDocument): readonly string[] =>
  servicesIn(projects)
    .filter(({ service }) => DOWN.has(service.state))
    .map(({ id }) => shownName(id));

const downLines = (down: readonly string[], look: Whose): readonly string[] => {
  if (down.length === 0) return [];
  const [does, them] = down.length === 1 ? ['does', 'it'] : ['do', 'them'];
  const names = down.length > MOST_NAMES ? 'NAME…' : down.join(' ');
  return [
    `${counted(down.length)} ${does} not run: ${listedText(down, MOST_NAMES)}`,
    `  ${pasted(`sup start ${names}`, look)} starts ${them}`,
  ];
};

/** Returns lines that say that there are no changes, and that name the services that do not run. */
export const noPlanLines = (status: StatusDocument, look: Whose): readonly string[] => [
  'no changes',
  ...downLines(downIn(status), look),
];

/**
 * Returns lines for the changed keys that apply to the whole supervisor. They need no new run of a service.
 */
const tableLines = (tables: readonly ChangedKey[], paint: Paint): readonly string[] => {
  const [sign, ink] = SIGNS.change;
  return tables.length === 0
    ? []
    : [
        `${paint(ink, `${sign} status, metrics`)}  change: of the whole supervisor`,
        ...tables.map((key) => `    ${shownLine(keyLine(key))}`),
      ];
};

/** True if the plan has changes. */
export const isSomething = ({ changes, tables = [] }: Plan): boolean => changes.length + tables.length > 0;

/** Returns the plan as lines: first the changes of services, then the changes for the whole supervisor. */
export const planLines = ({ changes, tables = [] }: Plan, paint: Paint): readonly string[] => [
  ...changes.flatMap((change) => linesOf(change, paint)),
  ...tableLines(tables, paint),
];

/** Returns lines for the keys of the whole supervisor that were applied. */
export const takenUpLines = (tables: readonly ChangedKey[]): readonly string[] =>
  tables.map((key) => `in force now: ${shownLine(keyLine(key))}`);
