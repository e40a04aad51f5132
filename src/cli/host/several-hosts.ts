// Carries out a command on several machines at once. Each line names its machine, and the failure of one
// machine does not hide the output of another (`docs/hosts.md`, "Several machines").
import { usageError } from '../grammar/usage-error.ts';
import type { Parsed } from '../grammar/parsed-line.ts';
import type { Screen, World } from '../process-ports.ts';
import type { HostCommand } from './one-host.ts';
import { byLine, GAP, type HostText, onOneOf, type Printing } from './one-of-several.ts';
import { printStatuses, TITLE } from './status-of-hosts.ts';
import { ClientFailure } from '../../client/client-failure.ts';
import { isErrorDocument } from '../../client/host/dial-frames.ts';
import type { HostPlace } from '../../client/host/ssh-line.ts';
import { documentJson } from '../../streams/views/words/foreign-text.ts';
import { fieldsIn } from '../../streams/wire/params/checked-fields.ts';
import { EXIT, type CommandStatus } from '../../streams/wire/command-exit-status.ts';

/**
 * Returns a function that adds the host to a line: as a document with the host, or as a name before the line.
 */
const markedWith =
  (json: boolean, width: number) =>
  (host: string, line: string): string => {
    const document = json ? fieldsIn(line) : undefined;
    return document === undefined
      ? `${host.padEnd(width)}${GAP}${line}`.trimEnd()
      : documentJson({ schema: 'sup.host/1', host, document });
  };

/** A time at the beginning of a line, which may be coloured. */
// eslint-disable-next-line no-control-regex -- colours begin with such a character
const TIME = /^(?:\u001b\[\d*m)?(\d{4}-\d\d-\d\dT[\d:.]+Z)/;

/** Returns the time of a line or of a document; `undefined` if it has none. */
const timeOf = (line: string): string | undefined => {
  const { at } = line.startsWith('{') ? (fieldsIn(line) ?? {}) : {};
  return typeof at === 'string' ? at : TIME.exec(line)?.[1];
};

/** Returns the lines sorted by time. A line without a time has the time of the line before it. */
const byTime = (lines: readonly HostText[]): readonly HostText[] => {
  let time = '';
  const timed = lines.map((line) => {
    time = timeOf(line.line) ?? time;
    return { line, time };
  });
  return timed
    .sort((one, other) => (one.time < other.time ? -1 : Number(one.time > other.time)))
    .map(({ line }) => line);
};

const isFollowing = ({ command, flags }: Parsed): boolean =>
  flags.has('follow') || flags.has('watch') || (command === 'start' && !flags.has('daemonize'));

const isTimed = ({ command }: Parsed): boolean => command === 'logs' || command === 'events';

/**
 * Returns the worst exit status, usually the highest. Exception: for a plan, an error (1) is worse than the
 * status that means "there are changes" (2).
 */
const worstOf = ({ command, flags }: Parsed, statuses: readonly CommandStatus[]): CommandStatus => {
  const isPlan = command === 'plan' || flags.has('dry-run');
  const weight = (status: CommandStatus): number => (isPlan && status === EXIT.changes ? 0.5 : status);
  return statuses.reduce((worst, status) => (weight(status) > weight(worst) ? status : worst), EXIT.done);
};

const SELECTING = ['service', 'project', 'config'] as const;
const AGREED = ['yes', 'all', 'here'] as const;

/** True if the command affects everything, so that it would ask the user for confirmation on one machine. */
const isAsking = ({ command, flags, values, operands }: Parsed, { keyboard }: World): boolean => {
  const isBulk = command === 'stop' || command === 'restart';
  const isNarrowed = operands.length > 0 || SELECTING.some((option) => values[option] !== undefined);
  const isAgreed = AGREED.some((flag) => flags.has(flag));
  return isBulk && !isNarrowed && !isAgreed && keyboard.isThere;
};

/** True for a view that is drawn on the whole terminal. */
const isDrawn = ({ flags }: Parsed, { stdout }: World): boolean =>
  flags.has('watch') && stdout.terminal && !flags.has('json');

/** Throws a usage error for a view that cannot be merged, and for a command that would ask the user. */
const refuseForSeveral = (parsed: Parsed, world: World): void => {
  const { command, flags } = parsed;
  const json = flags.has('json');
  if (command === 'metrics' && !json)
    throw usageError('the text of sup metrics is that of one machine', 'sup metrics --json --host …');
  if (isDrawn(parsed, world) && world.environment['TERM'] === 'dumb')
    throw usageError(
      'this terminal cannot be drawn on (TERM is dumb)',
      'sup status --host …, or sup status --watch --json --host …',
    );
  if (isAsking(parsed, world))
    throw usageError(
      `sup ${command} of everything asks on one machine, not on several`,
      `sup ${command} --all --host …`,
    );
};

interface HostsRun {
  readonly command: HostCommand;
  readonly places: readonly HostPlace[];
  readonly print: Printing;
}

/**
 * Carries out the command on all machines at the same time. When the command ends on a machine, calls `ended`
 * with its output lines. If the command follows new output, each line is printed at once, and this list is
 * empty.
 */
const onEach = (
  { command, places, print }: HostsRun,
  ended: (lines: readonly HostText[]) => void,
): Promise<readonly CommandStatus[]> => {
  const follows = isFollowing(command.parsed);
  return Promise.all(
    places.map(async (place) => {
      const lines: HostText[] = [];
      const out = (line: HostText): void => (follows ? print.out(line) : void lines.push(line));
      const status = await onOneOf(command, place, { ...print, out });
      ended(lines);
      return status;
    }),
  );
};

/** Prints one table of the documents that the machines send. */
const onTable = async ({ command, places, print }: HostsRun): Promise<readonly CommandStatus[]> => {
  const documents: HostText[] = [];
  const told = (host: string, thrown: unknown): void => {
    const { screen, end } = byLine(command.world.stderr, print.width, (line) => print.err({ host, line }));
    command.report(thrown, screen);
    end();
  };
  // The other machine runs the command with --json, so it prints an error as a document.
  const err = ({ host, line }: HostText): void => {
    const { error } = fieldsIn(line) ?? {};
    if (isErrorDocument(error)) told(host, new ClientFailure(error));
    else print.err({ host, line });
  };
  const typed = { ...command, line: [...command.line, '--json', '--quiet'] };
  const statuses = await onEach({ command: typed, places, print: { ...print, err } }, (lines) => {
    documents.push(...lines);
  });
  const order = places.map(({ host }) => host);
  documents.sort((one, other) => order.indexOf(one.host) - order.indexOf(other.host));
  return [...statuses, printStatuses({ command, width: print.width }, documents, told)];
};

/** Carries out the command on all machines at the same time. Resolves to the worst exit status. */
export const onSeveralHosts = async (
  command: HostCommand,
  places: readonly HostPlace[],
): Promise<CommandStatus> => {
  const { parsed, world } = command;
  const json = parsed.flags.has('json');
  refuseForSeveral(parsed, world);
  const width = Math.max(TITLE.length, ...places.map(({ host }) => host.length));
  if (isDrawn(parsed, world)) {
    const { watchHosts } = await import('./watch-hosts.ts');
    return watchHosts({ command, places, width });
  }
  const marked = markedWith(json, width);
  const writer =
    (screen: Screen) =>
    ({ host, line }: HostText): void =>
      screen.write(`${marked(host, line)}\n`);
  const print: Printing = { width, out: writer(world.stdout), err: writer(world.stderr) };
  const run = { command, places, print };
  if (parsed.command === 'status' && !isFollowing(parsed) && !json)
    return worstOf(parsed, await onTable(run));
  if (!isTimed(parsed)) return worstOf(parsed, await onEach(run, (lines) => lines.forEach(print.out)));
  const kept: HostText[] = [];
  const statuses = await onEach(run, (lines) => void kept.push(...lines));
  byTime(kept).forEach(print.out);
  return worstOf(parsed, statuses);
};
