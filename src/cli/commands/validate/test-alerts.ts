// `sup validate --test-alerts`: sends a test message to each receiver of the manifest, from this process and
// without a supervisor. Commands run as the user of this command.
import { sendAlert } from '../../../sinks/alerts/send-alert.ts';
import { startByNode } from '../../../sinks/process/start-by-node.ts';
import { commandRunner } from '../../../sinks/process/commands/command-runner.ts';
import type { HookCapture } from '../../../sinks/process/commands/command-output.ts';
import { wallClock } from '../../../sources/clocks.ts';
import { enqueue, NO_ALERTS } from '../../../streams/alerts/deliveries.ts';
import type { Manifest } from '../../../streams/domain/declared/manifest.ts';
import { errorSentence } from '../../../streams/domain/errors/error-sentence.ts';
import { notDelivered, receiverText, testMessage } from '../../../streams/views/events/alert-events.ts';
import { EXIT } from '../../../streams/wire/command-exit-status.ts';
import { supervisorEnvironment } from '../../../client/manifests/manifest-paths.ts';
import type { Context } from '../../context.ts';

/** A log that cannot be opened: a test has no service, so its output goes to no log. */
const NO_LOG: HookCapture = {
  openHook: () => Promise.reject(new Error('a test has no log')),
  hookTail: () => [],
};

/** Sends the tests one after another, and calls `tell` for each. Resolves to the exit status. */
export const testAlerts = async (
  { services }: Manifest,
  context: Context,
  tell: (text: string) => void,
): Promise<number> => {
  const alerts = services[0]?.alerts ?? [];
  const { environment } = context.world;
  const ports = {
    runner: commandRunner({ start: startByNode, capture: NO_LOG }),
    environment: supervisorEnvironment(environment, context.dataDir),
    dataDir: context.dataDir,
    version: context.world.version,
    sys: context.sys,
    now: () => wallClock.now() / 1000,
  };
  const messages = alerts.map((alert) => testMessage(alert, wallClock.now()));
  let status: number = EXIT.done;
  for (const delivery of enqueue(NO_ALERTS, messages, wallClock.now()).state.deliveries) {
    const failure = await sendAlert(delivery, ports);
    if (failure !== undefined) status = EXIT.failed;
    const { to } = delivery.alert;
    tell(failure === undefined ? `sent a test to ${receiverText(to)}` : failedText(delivery, failure));
  }
  if (alerts.length === 0) tell('the manifest declares no alerts');
  return status;
};

const failedText = (message: Parameters<typeof notDelivered>[0], detail: string): string => {
  const error = notDelivered(message, 1, detail);
  return `${error.code} ${errorSentence(error)}`;
};
