// Starts services, and then attaches to the services that have started, even if some have not.
import type { Command } from '../../../streams/domain/command.ts';
import { isOfService, type ErrorCode } from '../../../streams/domain/errors/error.ts';
import type { ServiceId } from '../../../streams/domain/ids.ts';
import { isAlive, starting } from '../../client/progress-texts.ts';
import { servicesIn } from '../../../client/live-model.ts';
import { attach, type Follow, interrupts } from './attach.ts';
import type { Client } from '../../../client/client.ts';
import type { Context } from '../../context.ts';
import { EXIT, type CommandStatus } from '../../../streams/wire/command-exit-status.ts';
import { MOST_NAMES, printWarnings, remark } from '../../print.ts';
import { outcomeLines } from '../../render/outcome-lines.ts';
import { failureOf, reportError } from '../../report-error.ts';
import { runCommand } from '../../client/run-command.ts';
import { logsCommand } from '../logs/print-logs.ts';

// An attached start prints the output of services since the start command, as lines of the form `service |
// line`.

/** Maximum number of past lines to print. It is high enough for all lines since the start. */
const ALL_LINES = 1_000_000;

const followOutput =
  ({ world, dataDir, colorOn }: Context, since: Date): Follow =>
  (services, signal) =>
    logsCommand(
      { services, follow: true, lines: ALL_LINES, since: since.toISOString(), json: false, prefix: true },
      { write: world.stdout.write, color: colorOn(world.stdout) },
      { dataDir, signal },
    );

/** True if the error means that the command was carried out, but that a service did not start. */
const wentThrough = (code: ErrorCode): boolean => code === 'ERR0106' || isOfService(code);

/**
 * Returns the services that should already be up before this command. Ctrl-C does not stop these services.
 */
const wantedAlready = async (client: Client): Promise<ReadonlySet<string>> => {
  const { projects } = await client.call('status', {});
  const wanted = servicesIn(projects).filter(({ service }) => service.wanted === 'up');
  return new Set(wanted.filter(({ service: { state } }) => isAlive(state)).map(({ id }) => id));
};

type StartCommand = Extract<Command, { type: 'start' }>;

interface Submitted {
  /** True if all services have started. */
  readonly whole: boolean;
  /** Services in the answer to the start command; empty if there is no answer. */
  readonly about: readonly ServiceId[];
}

/**
 * Sends the start command. Resolves early at Ctrl-C; the caller then stops the services that are starting.
 */
const submit = async (
  context: Context,
  client: Client,
  { command, asked }: { readonly command: StartCommand; readonly asked: Promise<void> },
): Promise<Submitted> => {
  const { selection } = command;
  const submitted = runCommand(context, client, { command, activity: starting(selection), until: asked });
  try {
    const done = await Promise.race([submitted, asked]);
    printWarnings(context, done?.warnings ?? []);
    if (done !== undefined) outcomeLines(done.outcomes, MOST_NAMES).forEach((line) => remark(context, line));
    return { whole: true, about: done?.outcomes.map(({ service }) => service) ?? [] };
  } catch (thrown) {
    if (!wentThrough(failureOf(thrown).document.code)) throw thrown;
    const { json, sys, verbose, quiet, world } = context;
    reportError(thrown, world.stderr, { json, sys, verbose, quiet, color: context.colorOn(world.stderr) });
    return { whole: false, about: [] };
  } finally {
    // After Ctrl-C the answer is not used, so a failure is ignored.
    submitted.catch(() => undefined);
  }
};

export const startAttached = async (
  context: Context,
  client: Client,
  command: StartCommand,
): Promise<CommandStatus> => {
  const interrupted = interrupts(context.world);
  const follow = followOutput(context, new Date());
  try {
    const spared = await wantedAlready(client);
    const { whole, about } = await submit(context, client, { command, asked: interrupted.asked });
    const attachment = { selection: command.selection, about, spared, follow, interrupts: interrupted };
    const status = await attach(context, client, attachment);
    return whole ? status : EXIT.failed;
  } finally {
    interrupted.dispose();
  }
};
