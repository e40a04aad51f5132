// Sends one command to the supervisor and waits for the answer. Shows progress if the answer takes long.
import type { Client } from '../../client/client.ts';
import type { Context } from '../context.ts';
import { remark } from '../print.ts';
import { type Activity, progress, type Progress } from '../render/progress.ts';
import { servicesIn, shownName } from '../../client/live-model.ts';
import type { Command, Done, Selection } from '../../streams/domain/command.ts';
import { paintOf } from '../../streams/views/words/paint.ts';

/** Delay before progress is shown, ms. A command that is answered sooner shows no progress. */
const PATIENCE_MS = 400;
const FRAME_MS = 100;
/** Timeout of the final status request, ms. It is short because the supervisor has just answered. */
const LAST_MS = 1_000;

/** Resolves to the setting `timeouts/command_wait_secs`, the timeout of a command, in ms; 0: no timeout. */
const commandWait = async ({ layout, world }: Context): Promise<number> => {
  const { peekSettings } = await import('../../manifest/settings/load-settings.ts');
  return peekSettings(layout.settings, world.environment).settings.commandWait;
};

interface ProgressDisplay {
  /** Shows the final states of the services, which may arrive after the answer. */
  readonly conclude: () => Promise<void>;
  /** Removes the progress from the screen. */
  readonly hide: () => void;
}

const NOTHING: ProgressDisplay = { conclude: () => Promise.resolve(), hide: () => undefined };

/** Shows which services the command waits for, if it takes longer than `PATIENCE_MS`. */
const showProgress = (context: Context, client: Client, activity: Activity): ProgressDisplay => {
  const { stderr: screen } = context.world;
  const began = process.uptime() * 1000;
  const shown: Progress = progress(activity, {
    screen,
    paint: paintOf(context.colorOn(screen)),
    drawn: context.world.environment['TERM'] !== 'dumb' && context.world.isRemote !== true,
    elapsed: () => process.uptime() * 1000 - began,
    now: Date.now,
  });
  let frames: NodeJS.Timeout | undefined;
  const deafen = client.onView(shown.see);
  const patience = setTimeout(() => {
    // If the supervisor refuses this call, no progress is shown; the command is not affected.
    client.call('watch', activity.selection).catch(() => undefined);
    frames = setInterval(shown.tick, FRAME_MS);
  }, PATIENCE_MS);
  let hidden = false;
  const hide = (): void => {
    if (hidden) return;
    hidden = true;
    clearTimeout(patience);
    clearInterval(frames);
    deafen();
    shown.end();
  };
  const conclude = async (): Promise<void> => {
    if (hidden || !shown.owes()) return;
    const last = await client
      .call('status', activity.selection, { timeoutMs: LAST_MS })
      .catch(() => undefined);
    if (last !== undefined) shown.see({ full: true, projects: last.projects, gone: [] });
  };
  return { conclude, hide };
};

interface WaitedCommand {
  readonly command: Command;
  readonly activity: Activity;
  /** When this promise resolves, the progress is removed from the screen, even if the command still runs. */
  readonly until?: Promise<unknown>;
}

/**
 * Sends a command and resolves to its result. Rejects with the error of the command, or with ERR0111 after
 * `command_wait_secs`.
 */
export const runCommand = async (
  context: Context,
  client: Client,
  { command, activity, until }: WaitedCommand,
): Promise<Done> => {
  const { conclude, hide } =
    context.quiet || context.json ? NOTHING : showProgress(context, client, activity);
  void until?.then(hide);
  try {
    return await client.call('command', command, { timeoutMs: await commandWait(context) });
  } finally {
    await conclude();
    hide();
  }
};

/**
 * Prints which services are rolled back at present. The user is warned, because the command applies the
 * manifest to these services again. Prints nothing if the status cannot be read, for example because the
 * services do not exist yet.
 */
export const tellRolledBack = async (
  context: Context,
  client: Client,
  selection: Selection,
): Promise<void> => {
  if (context.quiet || context.json) return;
  const status = await client.call('status', selection).catch(() => undefined);
  const names = servicesIn(status?.projects ?? [])
    .filter(({ service }) => service.deploy.rolled_back)
    .map(({ id }) => shownName(id));
  if (names.length > 0) remark(context, `applies the manifest again after a rollback: ${names.join(', ')}`);
};
