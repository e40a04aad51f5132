// One command to the supervisor, from the question to the answer: how long to wait, and what to show meanwhile.
import type { Command, Done } from '../../streams/domain/command.ts';
import type { Client } from './client.ts';
import type { Context } from '../context.ts';
import { paintOf } from '../render/paint.ts';
import { progress, type Activity, type Progress } from '../render/progress.ts';

/** What answers sooner than this shows no progress. */
const PATIENCE_MS = 400;
const FRAME_MS = 100;

/** `timeouts/command_wait_secs`; 0 waits for as long as the supervisor lives. */
const commandWait = async ({ layout, world }: Context): Promise<number> => {
  const { peekSettings } = await import('../../sources/settings/settings.ts');
  return peekSettings(layout.settings, world.environment).settings.commandWait;
};

/** Shows what a command waits for once it takes its time; the returned function takes it away again. */
const showProgress = (context: Context, client: Client, activity: Activity): (() => void) => {
  const { stderr: screen } = context.world;
  const began = performance.now();
  const shown: Progress = progress(activity, {
    screen,
    paint: paintOf(context.colorOn(screen)),
    elapsed: () => performance.now() - began,
  });
  let frames: NodeJS.Timeout | undefined;
  const deafen = client.onView(shown.see);
  const patience = setTimeout(() => {
    // A view that is refused leaves the command without progress, nothing worse.
    client.call('watch', activity.selection).catch(() => undefined);
    frames = setInterval(shown.tick, FRAME_MS);
  }, PATIENCE_MS);
  let hidden = false;
  return () => {
    if (hidden) return;
    hidden = true;
    clearTimeout(patience);
    clearInterval(frames);
    deafen();
    shown.end();
  };
};

interface Asked {
  readonly command: Command;
  readonly activity: Activity;
  /** Progress is of no interest any more once this settles. */
  readonly until?: Promise<unknown>;
}

/** Rejects with what the supervisor says is wrong, or ERR0111 when it takes longer than `command_wait_secs`. */
export const runCommand = async (
  context: Context,
  client: Client,
  { command, activity, until }: Asked,
): Promise<Done> => {
  const hide = context.quiet || context.json ? () => undefined : showProgress(context, client, activity);
  void until?.then(hide);
  try {
    return await client.call('command', command, { timeoutMs: await commandWait(context) });
  } finally {
    hide();
  }
};
