// `sup logs`: prints the logs of services. It reads the log files directly, so it needs no supervisor.
import { nameOf, projectOf, shownId, type ServiceId } from '../../../streams/domain/ids.ts';
import type { OnDamage } from '../../../sources/logs/log-files.ts';
import { layoutOf } from '../../../streams/wire/layout.ts';
import type { Context, Handler } from '../../context.ts';
import { EXIT, type CommandStatus } from '../../../streams/wire/command-exit-status.ts';
import { exclusive, usageError } from '../../grammar/usage-error.ts';
import { VALUED } from '../../grammar/option-table.ts';
import { valueOf, type Parsed } from '../../grammar/parsed-line.ts';
import { linesArgument, stretchArgument, pruneArguments } from './log-arguments.ts';
import { logsCommand, type LogsOutput, patternArgument } from './print-logs.ts';
import { selectedPast } from '../../../client/past-services.ts';
import { readRecorded } from '../../../client/recorded.ts';
import { printDocument, printLines, remark } from '../../print.ts';
import { counted } from '../../render/outcome-lines.ts';
import { sizeText } from '../../../streams/views/words/age-and-size.ts';
import { pasted } from '../../render/pasteable-hints.ts';
import { childStream } from '../../../streams/wire/log-line.ts';
import { isBulk } from '../../../streams/selection/match.ts';
import { selectionOf } from '../../selection.ts';
import { untilEnough } from '../../until-interrupted.ts';

const STREAMS: readonly string[] = VALUED.stream.words;
const NARROWING = ['since', 'until', 'grep'] as const;

const narrowing = (parsed: Parsed): Partial<Record<(typeof NARROWING)[number], string>> =>
  Object.fromEntries(
    NARROWING.flatMap((option) => {
      const written = valueOf(parsed, option);
      return written === undefined ? [] : [[option, written] as const];
    }),
  );

const streamOf = (parsed: Parsed): { readonly stream?: string } => {
  const stream = valueOf(parsed, 'stream');
  if (stream === undefined) return {};
  if (STREAMS.includes(stream) || stream.startsWith(childStream(''))) return { stream };
  throw usageError(`--stream "${stream}" is none`, `one of ${STREAMS.join(', ')}, or child:<name>`);
};

const outputOf = ({ world, colorOn }: Context): LogsOutput => ({
  write: world.stdout.write,
  color: colorOn(world.stdout),
});

/** Options that select some of the lines of a log. */
const SIFTING = [...NARROWING, 'stream'] as const;

const NO_SUCH_LINES = 'no matching lines';

const isSifted = (parsed: Parsed): boolean => SIFTING.some((option) => valueOf(parsed, option) !== undefined);

const isKept = (context: Context, id: ServiceId): boolean =>
  !readRecorded(context).services.some(({ spec }) => spec.id === id && spec.logs.sink === 'none');

/** Returns the message that is printed for a service that has no log lines. */
const emptyText = (context: Context, id: ServiceId): string => {
  const name = shownId(id);
  return isKept(context, id)
    ? `the log of ${name} is empty so far`
    : `${name} keeps no log (logs.sink: none): ${pasted(`sup why ${name}`, context)} shows what it printed last`;
};

const nothingText = (parsed: Parsed, context: Context, services: readonly ServiceId[]): string => {
  const [first, ...more] = services;
  if (isSifted(parsed)) return NO_SUCH_LINES;
  if (first === undefined) return 'no services are registered';
  return more.length === 0
    ? emptyText(context, first)
    : `the logs of ${services.length} services are empty so far`;
};

/**
 * Returns a function that selects the services again. If a new service has made a name ambiguous, that
 * function returns `before`.
 */
const selectedNow =
  (parsed: Parsed, context: Context, before: readonly ServiceId[]) => (): readonly ServiceId[] => {
    try {
      return selectedPast(selectionOf(parsed, context), context);
    } catch {
      return before;
    }
  };

/** Returns a function that prints a warning about a damaged file, at most once for each file. */
const damageTeller = (context: Context): OnDamage => {
  const told = new Set<string>();
  return (file, reason) => {
    if (!told.has(file)) remark(context, `${file} is damaged (${reason}): what follows in it is left out`);
    told.add(file);
  };
};

const show = async (parsed: Parsed, context: Context): Promise<CommandStatus> => {
  const { flags } = parsed;
  const manner = {
    follow: flags.has('follow'),
    lines: linesArgument(parsed),
    ...narrowing(parsed),
    ...streamOf(parsed),
    json: context.json,
    time: !flags.has('no-time'),
    local: flags.has('local'),
    raw: flags.has('raw'),
    marks: context.world.stdout.terminal && !context.json && !flags.has('raw'),
    ignoreCase: flags.has('ignore-case'),
  };
  const services = selectedPast(selectionOf(parsed, context), context);
  const onDamage = damageTeller(context);
  const args = { ...manner, services, prefix: services.length > 1, onDamage };
  const output = {
    ...outputOf(context),
    onNothing: () => remark(context, nothingText(parsed, context, services)),
  };
  const more = isBulk(selectionOf(parsed, context))
    ? { wantedNow: selectedNow(parsed, context, services) }
    : {};
  await untilEnough(context.world, async (signal) => {
    await logsCommand(args, output, { dataDir: context.dataDir, signal, ...more });
  });
  return EXIT.done;
};

/** Prints the supervisor's own log. */
const showSupervisor = async (parsed: Parsed, context: Context): Promise<CommandStatus> => {
  if (Object.keys(selectionOf(parsed, context)).length > 0)
    throw exclusive('--supervisor excludes services', 'sup logs --supervisor --grep shop/web');
  const { printSupervisor } = await import('./print-supervisor.ts');
  const grep = valueOf(parsed, 'grep');
  const args = {
    directory: context.layout.supervisorLogs,
    lines: linesArgument(parsed),
    ...stretchArgument(parsed),
    ...(grep === undefined ? {} : { grep: patternArgument(grep, parsed.flags.has('ignore-case')) }),
    follow: parsed.flags.has('follow'),
    json: context.json,
    raw: parsed.flags.has('raw'),
  };
  const nothing = isSifted(parsed) ? NO_SUCH_LINES : 'the log of the supervisor is empty so far';
  const output = { ...outputOf(context), onNothing: () => remark(context, nothing) };
  await untilEnough(context.world, (signal) => printSupervisor(args, output, signal));
  return EXIT.done;
};

const showPaths = (context: Context, services: readonly ServiceId[]): CommandStatus => {
  const { log } = layoutOf(context.dataDir);
  if (!context.json) printLines(context, services.map(log));
  else
    printDocument(context, {
      schema: 'sup.log-paths/1',
      services: services.map((id) => ({ project: projectOf(id), service: nameOf(id), path: log(id) })),
    });
  return EXIT.done;
};

const prune = async (parsed: Parsed, context: Context): Promise<CommandStatus> => {
  const { bytesOf } = await import('../../../sinks/logs/file/find-log-files.ts');
  const { pruneLogs, tellGone } = await import('./remove-logs.ts');
  const limits = pruneArguments(parsed);
  const services = selectedPast(selectionOf(parsed, context), context);
  const gone = await pruneLogs(context.dataDir, services, limits);
  const removed = `${gone.length} files of ${counted(services.length)} removed`;
  return tellGone(context, gone, `${removed}, ${sizeText(bytesOf(gone))}`);
};

export const logs: Handler = async (parsed, context) => {
  const { flags } = parsed;
  if (flags.has('ignore-case') && valueOf(parsed, 'grep') === undefined)
    throw usageError('--ignore-case belongs to --grep', 'sup logs --grep <pattern> --ignore-case');
  if (flags.has('supervisor')) return showSupervisor(parsed, context);
  if (flags.has('prune')) return prune(parsed, context);
  if (flags.has('clear')) return (await import('./remove-logs.ts')).clear(parsed, context);
  if (flags.has('path')) return showPaths(context, selectedPast(selectionOf(parsed, context), context));
  return show(parsed, context);
};
