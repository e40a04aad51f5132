// The page of `sup inspect`: the declaration of a service, its present state, and its history.
import type {
  CronRunDocument,
  InspectDocument,
  InspectedService,
  RolloutDocument,
  RolloutRecordDocument,
  StageDocument,
  TransitionDocument,
} from '../../../streams/wire/documents/documents.ts';
import type { UndeliveredDocument } from '../../../streams/wire/documents/basic-documents.ts';
import { lengthText } from '../../../streams/domain/time.ts';
import { ms } from '../../../streams/domain/time.ts';
import { ageText, sizeText } from '../../../streams/views/words/age-and-size.ts';
import { chartLines } from './chart.ts';
import { childTree, pastChildren, processTree, spawnWords } from './trees.ts';
import { shownLine } from '../../../streams/views/words/foreign-text.ts';
import type { Paint } from '../../../streams/views/words/paint.ts';
import { historyText } from './page-rows.ts';
import { hanging } from '../paragraphs.ts';
import { STATE_INK } from '../service-columns.ts';
import { LOOSE } from '../../../streams/domain/ids.ts';
import type { ExitDocument } from '../../../streams/wire/documents/basic-documents.ts';

interface InspectLook {
  readonly paint: Paint;
  readonly now: number;
  /** Width of the terminal; `undefined` if the output is no terminal. */
  readonly columns: number | undefined;
}

type Fact = readonly [label: string, value: string | null];

const exitWords = ({ code, signal }: ExitDocument): string => {
  if (code !== null) return `exited with ${code}`;
  return signal === null ? 'ended, its exit status is unknown' : `killed by ${signal}`;
};

const ago = (at: string | null, now: number): string | null =>
  at === null ? null : `${at} (${ageText(at, now)} ago)`;

const listed = (names: readonly string[]): string | null => (names.length === 0 ? null : names.join(', '));

const commandText = (command: InspectedService['command']): string =>
  typeof command === 'string' ? command : command.map((word) => JSON.stringify(word)).join(' ');

const afterReadyText = (given: string | number | undefined): string =>
  given === 'off' ? 'not at all' : `every ${lengthText(ms(Number(given)))}`;

/** Returns the URL, command or port of the health check, for the page. */
const askedText = ({ url, command, tcp }: NonNullable<InspectedService['health_check']>): string =>
  String(url ?? command ?? `tcp ${tcp ?? '-'}`);

/** Returns a text such as `http://localhost:80/ every 2 s; attempt_timeout 30 s, retries 3`. */
const checkText = (check: InspectedService['health_check']): string | null => {
  if (check === null) return null;
  const { log, notify, interval_ms: interval, retries } = check;
  const length = (key: string): string => {
    const limit = check[key];
    return typeof limit === 'number' ? lengthText(ms(limit)) : 'none';
  };
  if (notify !== undefined) return `READY=1 from the service, within ${length('total_timeout_ms')}`;
  if (log !== undefined) return `a line that matches ${log}, within ${length('total_timeout_ms')}`;
  const limits = `attempt_timeout ${length('attempt_timeout_ms')}, retries ${retries ?? '-'}, total_timeout ${length('total_timeout_ms')}`;
  const afterReady = check['after_ready_ms'] ?? interval;
  const later = afterReady === interval ? '' : `, once ready ${afterReadyText(afterReady)}`;
  const failure = check['on_failure'] === undefined ? '' : `, on_failure ${check['on_failure']}`;
  return `${askedText(check)} every ${lengthText(ms(Number(interval)))}${later}; ${limits}${failure}`;
};

/** Returns a text such as `tcp 6379 every 10 s; attempt_timeout 30 s, retries 3, on_failure restart`. */
const livenessText = (check: InspectedService['health_check']): string | null => {
  const keys = Object.entries(check ?? {}).filter(([key]) => key.startsWith('liveness_'));
  if (keys.length === 0) return null;
  const liveness = Object.fromEntries(keys.map(([key, value]) => [key.slice('liveness_'.length), value]));
  const length = (key: string): string => lengthText(ms(Number(liveness[key])));
  const failure = `on_failure ${liveness['on_failure'] ?? '-'}`;
  if (liveness['watchdog_ms'] !== undefined)
    return `WATCHDOG=1 from the service, within ${length('watchdog_ms')}; ${failure}`;
  const limits = `attempt_timeout ${length('attempt_timeout_ms')}, retries ${liveness['retries'] ?? '-'}, ${failure}`;
  return `${askedText(liveness)} every ${length('interval_ms')}; ${limits}`;
};

/**
 * Returns a text such as `tcp 127.0.0.1:80 (pid 812)`. If the ports are unknown, returns `not known` for a
 * service with a process, otherwise `null`.
 */
const portsText = ({ listening, pid }: InspectedService): string | null =>
  listening === null
    ? pid === null
      ? null
      : 'not known'
    : listed(
        listening.map(({ protocol, address, port, pid: holder }) => {
          const host = address.includes(':') ? `[${address}]` : address;
          return `${protocol} ${host}:${port} (pid ${holder})`;
        }),
      );

const dependencyText = ({ service, condition, required }: InspectedService['depends_on'][number]): string =>
  `${service} (${condition}${required ? '' : ', not required'})`;

/** Returns a text such as `dev, test (chosen: dev)`. */
const profilesText = ({ profiles, chosen_profiles: chosen = [] }: InspectedService): string | null =>
  profiles === undefined ? null : `${profiles.join(', ')} (chosen: ${listed(chosen) ?? 'none'})`;

/** Returns the facts that the manifest declares. */
const declared = (service: InspectedService): readonly Fact[] => [
  ['profiles', profilesText(service)],
  ['read from', listed(service.manifest_files ?? [])],
  ['command', commandText(service.command)],
  ['directory', service.working_dir],
  ['depends on', listed(service.depends_on.map(dependencyText))],
  ['dependents', listed(service.dependents)],
  ['health check', checkText(service.health_check)],
  ['liveness', livenessText(service.health_check)],
  ['variables', listed(service.env_keys)],
  ['hooks', listed(service.hooks)],
  ['log', service.logs.file ?? `none (sink ${service.logs.sink})`],
  ['listens on', portsText(service)],
  ['not isolated', listed(service.skipped_isolation)],
  ['children', spawnWords(service.spawn)],
];

const exitLine = (exit: ExitDocument, now: number): string =>
  exit.at === null ? exitWords(exit) : `${exitWords(exit)}, ${ago(exit.at, now) ?? ''}`;

const failureWords = (failure: InspectedService['last_failure'], now: number): string | null =>
  failure === null ? null : `${failure.error.code} ${failure.error.message}, ${ago(failure.at, now) ?? ''}`;

/** Returns facts about the last exit, the last failure, and changes that are not applied yet. */
const past = (service: InspectedService, now: number): readonly Fact[] => {
  const { last_exit: exit } = service;
  return [
    ['last exit', exit === null ? null : exitLine(exit, now)],
    ['last failure', failureWords(service.last_failure, now)],
    ['deploy', service.deploy.failed ? `failed ${ago(service.deploy.at, now)}` : null],
    ['pending', service.awaits_restart ? 'changed since it started; sup apply applies it' : null],
  ];
};

/** Returns facts about the present state of the service. */
const present = (service: InspectedService, now: number): readonly Fact[] => {
  const { reason, error, pid, run, restarts, max_restarts: budget } = service;
  return [
    ['reason', reason],
    ['error', error === null ? null : `${error.code} ${error.message}`],
    ['because of', listed(service.because_of)],
    ['process', pid === null ? null : `pid ${pid}, run ${run}`],
    ['started', ago(service.started_at, now)],
    ['ready', ago(service.ready_at, now)],
    ['restarts', `${restarts} of ${budget}; ${service.restarts_total} since it is known`],
    ['next attempt', service.next_attempt_at],
    ['next run', service.next_run_at],
    ...past(service, now),
    ['cpu', service.cpu_percent === null ? null : `${service.cpu_percent.toFixed(1)} %`],
    ['memory', service.rss_bytes === null ? null : sizeText(service.rss_bytes)],
    ['slot', service.slot],
    ['rollout', service.rollout === null ? null : rolloutWords(service.rollout)],
  ];
};

const LABEL_WIDTH = 13;

const factLines = (facts: readonly Fact[], { paint, columns }: InspectLook): readonly string[] =>
  facts.flatMap(([label, value]) => {
    if (value === null) return [];
    const lines = hanging(' '.repeat(LABEL_WIDTH + 3), shownLine(value), columns);
    const head = `  ${paint('dim', label.padEnd(LABEL_WIDTH))} `;
    return lines.map((line, index) => (index === 0 ? head + line.slice(LABEL_WIDTH + 3) : line));
  });

/** An entry of a service's history: a time, and what happened then. */
type Moment = readonly [at: string, text: string];

const historyLine = (entry: TransitionDocument): Moment => [entry.at, shownLine(historyText(entry))];

const cronLine = (run: CronRunDocument): Moment => {
  const peak = run.peak_memory_bytes === null ? '' : `, peak ${sizeText(run.peak_memory_bytes)}`;
  const by = run.by === undefined ? '' : `, ${run.by}`;
  return [run.due_at, `${run.result}${run.exit === null ? '' : ` (${exitWords(run.exit)})`}${by}${peak}`];
};

const stepWords = (steps: readonly StageDocument[]): string =>
  steps.map(({ step, took_ms: took }) => `${step} ${lengthText(ms(took))}`).join(', ');

const rolloutWords = ({ strategy, steps, candidate }: RolloutDocument): string =>
  `${strategy}${candidate.run === null ? '' : ` to run ${candidate.run}`}: ${stepWords(steps)}`;

const rolloutLine = (rollout: RolloutRecordDocument): Moment => {
  const { ended_at: at, strategy, outcome, error, steps, old_run: old, candidate_run: candidate } = rollout;
  const runs = `run ${old} → ${candidate ?? '-'}`;
  const why = error === null ? '' : `: ${error.code} ${shownLine(error.message)}`;
  return [at, `${strategy} ${outcome}, ${runs} (${stepWords(steps)})${why}`];
};

const alertLine = ({ at, cause, error }: UndeliveredDocument): Moment => [
  at,
  shownLine(`${cause}: ${error.message}`),
];

const section = (title: string, lines: readonly string[], { paint }: InspectLook): readonly string[] =>
  lines.length === 0 ? [] : [`  ${paint('dim', title)}`, ...lines];

const momentLines = (title: string, moments: readonly Moment[], look: InspectLook): readonly string[] =>
  section(
    title,
    moments.flatMap(([at, text]) => hanging(`    ${at}  `, text, look.columns)),
    look,
  );

const serviceLines = (service: InspectedService, look: InspectLook): readonly string[] => {
  const { paint, now, columns } = look;
  const { project, name, state, health } = service;
  const title = paint('bold', project === LOOSE ? name : `${project}/${name}`);
  return [
    `${title}  ${paint(STATE_INK[state], state)}  ${health}, wanted ${service.wanted}`,
    ...factLines([...present(service, now), ...declared(service)], look),
    ...section(
      'declared',
      Object.entries(service.declared ?? {}).flatMap(([key, value]) =>
        hanging('    ', shownLine(`${key}: ${value}`), columns),
      ),
      look,
    ),
    ...momentLines('history', service.history.map(historyLine), look),
    ...momentLines('rollouts', service.rollouts.map(rolloutLine), look),
    ...momentLines('alerts that did not arrive', (service.undelivered_alerts ?? []).map(alertLine), look),
    ...momentLines('runs', service.cron_runs.map(cronLine), look),
    ...section('living children', childTree(service.spawn), look),
    ...section('children that are over', pastChildren(service.spawn), look),
    ...section('processes', processTree(service.processes ?? []), look),
    ...(service.samples === null ? [] : chartLines(service.samples, { paint, columns })),
  ];
};

/** Returns the page, one string per line. */
export const inspectLines = ({ services }: InspectDocument, look: InspectLook): readonly string[] =>
  services.flatMap((service, index) => [...(index === 0 ? [] : ['']), ...serviceLines(service, look)]);
