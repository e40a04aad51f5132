// The steps of a rollout in words for users.
import type { RolloutStep } from '../domain/service/rollout.ts';

export const STEP_WORDS: Readonly<Record<RolloutStep, string>> = {
  starting: 'the candidate starts',
  verifying: 'the candidate is being verified',
  switching: 'the switch command runs',
  confirming: 'the switch is being verified',
  watching: 'the candidate is watched',
  retiring: 'the old run stops',
  reverting: 'the switch is being taken back',
  withdrawing: 'the candidate is stopped',
};

/** What has succeeded when the following step begins. */
export const DONE_WORDS: Readonly<Record<RolloutStep, string>> = {
  starting: 'the candidate is ready',
  verifying: 'the candidate is verified',
  switching: 'the switch command is done',
  confirming: 'the switch is verified',
  watching: 'the candidate has outlived its grace period',
  retiring: 'the old run has stopped',
  reverting: 'the switch is taken back',
  withdrawing: 'the candidate has stopped',
};
