// Carries out a launcher's orders: all steps in order, then the program. A refused step ends the launcher,
// unless the plan allows that refusal.
import { errnoOf } from '../../../os/errno.ts';
import { messageOf } from '../../../streams/domain/errors/thrown.ts';
import type { Order, LaunchedProgram } from '../../../streams/launch/order.ts';
import type { PlannedStep } from '../../../streams/launch/step.ts';
import type { Channel } from './channel.ts';
import type { Losses } from './perform.ts';
import { StepRefused } from './step-refused.ts';

interface LauncherPorts {
  readonly channel: Channel;
  /** Throws when the kernel refuses. */
  readonly perform: (step: PlannedStep) => Losses;
  /** Executes the program. Returns only by throwing. */
  readonly become: (program: LaunchedProgram) => never;
}

/** Reports the refused step: the program was not run. */
const failed = ({ channel }: LauncherPorts, step: PlannedStep, error: unknown): 'failed' => {
  const key = error instanceof StepRefused ? error.key : step.key;
  channel.report({ tag: 'refused', step: step.tag, key, detail: messageOf(error) });
  return 'failed';
};

const mayBePassedOver = ({ mayRefuse }: PlannedStep, error: unknown): boolean =>
  mayRefuse.includes(errnoOf(error) ?? '');

const carryOut = (ports: LauncherPorts, step: PlannedStep): 'done' | 'failed' => {
  try {
    for (const loss of ports.perform(step)) ports.channel.report({ tag: 'skipped', ...loss });
    return 'done';
  } catch (error) {
    if (!mayBePassedOver(step, error)) return failed(ports, step, error);
    ports.channel.report({ tag: 'skipped', key: step.key, detail: messageOf(error) });
    return 'done';
  }
};

const becomes = ({ channel, become }: LauncherPorts, program: LaunchedProgram): void => {
  channel.report({ tag: 'going' });
  try {
    become(program);
  } catch (error) {
    channel.report({ tag: 'no-program', code: errnoOf(error) ?? messageOf(error) });
  }
};

/** Returns only when the program could not be run; the reason was reported. */
export const launch = (ports: LauncherPorts): void => {
  for (;;) {
    const { steps, program }: Order = ports.channel.receive();
    for (const step of steps) if (carryOut(ports, step) === 'failed') return;
    // No program: the stage should have ended in another launcher, but that step was skipped. This launcher
    // continues.
    if (program !== undefined) {
      becomes(ports, program);
      return;
    }
    ports.channel.report({ tag: 'next', inside: false });
  }
};
