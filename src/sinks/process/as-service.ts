// Starts a command with the launch plan of its service
// (`docs/behaviour.md`, "Commands on behalf of a service").
// Rules: `docs/behaviour.md`, "Commands on behalf of a service", "As the service".
import { fchmodSync, fchownSync, fstatSync } from 'node:fs';
import type { Account } from '../../streams/domain/account.ts';
import type { CommandJob } from '../../streams/domain/ports.ts';
import { joiningNetwork, withoutCgroup } from '../../streams/launch/commands.ts';
import { prepare } from '../privilege/privileges.ts';
import type { Child, ChildPlan } from './child.ts';
import { started, type StartPorts } from './started.ts';

/**
 * Builds the plan for the command's account, and its uid outside a user namespace if not the supervisor's.
 */
type PlanFor = (account: Account | undefined, uid: number | undefined) => ChildPlan;

/** Starts a command like its service. Rejects with `NotPrepared`, `LaunchFailed` or `ProgramNotStarted`. */
export type StartAs = (as: NonNullable<CommandJob['as']>, planFor: PlanFor) => Promise<Child>;

const OWNER_AND_GROUP_WRITE = 0o620;

/**
 * Lets the command open its own output again (`/dev/stderr`), to write and not to read: others write there
 * too. The owner stays the supervisor.
 */
const lendOutput = ({ gid }: Account, { output }: ChildPlan): void => {
  if (output === undefined) return;
  for (const descriptor of new Set([output.stdout, output.stderr])) {
    fchownSync(descriptor, fstatSync(descriptor).uid, gid);
    fchmodSync(descriptor, OWNER_AND_GROUP_WRITE);
  }
};

export const startAsService =
  (ports: StartPorts): StartAs =>
  async ({ spec, beside }, planFor) => {
    const prepared = await prepare(withoutCgroup(spec), ports.mode);
    const { stages, account, owner } = prepared;
    const plan = planFor(account, owner?.uid);
    if (account !== undefined) lendOutput(account, plan);
    const own = { ...prepared, stages: beside === undefined ? stages : joiningNetwork(stages, beside) };
    const begin = (): Promise<Child> => started(ports, { plan, prepared: own });
    return stages.length === 0 ? begin() : ports.launchers.again(begin);
  };
