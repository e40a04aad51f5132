// Runs a command in the place of a service, in this terminal: its directory, its variables and, for root, its user, without
// the mark of its run, so that it is nobody the supervisor would count or stop.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { ExitStatus } from '../../streams/domain/service/exit.ts';
import type { ServiceSpec } from '../../streams/domain/declared/spec.ts';
import { ownEnvironmentFor } from '../../streams/env/own-environment.ts';
import type { RunsAs } from '../../streams/launch/facts.ts';
import { refusalError } from '../../streams/launch/refusal.ts';
import { runsAs, Unknown } from '../../sinks/privilege/runs-as.ts';
import { unmarkedEnvironment } from '../../streams/env/service-environment.ts';
import { explainRefusal } from '../../sinks/process/refusal.ts';
import type { Context } from '../context.ts';
import { failure } from '../errors/failure.ts';
import { inheritedEnvironment } from './inherited.ts';

interface Here {
  readonly argv: readonly string[];
  readonly spec: ServiceSpec;
  /** On top of the service's own. */
  readonly more?: Readonly<Record<string, string>>;
  /** The standard output is the answer's alone: what the command prints goes to standard error. */
  readonly aside?: boolean;
}

/** A terminal sends these to the command too; what else ends this program is passed on. */
const SHARED = ['SIGINT', 'SIGQUIT'] as const;
const PASSED_ON = ['SIGTERM', 'SIGHUP'] as const;

const nothing = (): void => undefined;

const ended = (child: ReturnType<typeof spawn>): Promise<ExitStatus> => {
  const passOn = (signal: NodeJS.Signals): void => void child.kill(signal);
  SHARED.forEach((signal) => process.on(signal, nothing));
  PASSED_ON.forEach((signal) => process.on(signal, passOn));
  return new Promise<ExitStatus>((settle, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      settle(signal === null ? { tag: 'code', code: code ?? 0 } : { tag: 'signal', signal });
    });
  }).finally(() => {
    SHARED.forEach((signal) => process.off(signal, nothing));
    PASSED_ON.forEach((signal) => process.off(signal, passOn));
  });
};

/** Whom the command runs as: nobody else, unless root asks for it. Never as root what the manifest gives to another. */
const identityOf = async ({ world }: Context, spec: ServiceSpec): Promise<RunsAs> => {
  if (world.uid !== 0) return { supplementary: [] };
  try {
    return await runsAs(spec.privilege);
  } catch (error) {
    throw error instanceof Unknown ? failure(refusalError(spec.id, error.refusal)) : error;
  }
};

/** Node takes 32 bits with a sign and hands them on as they are: the upper half is negative there. */
const signed = (id: number): number => id | 0;

const idsOf = ({ account, gid }: RunsAs): { readonly uid?: number; readonly gid?: number } => {
  const group = gid ?? account?.gid;
  return { ...(account && { uid: signed(account.uid) }), ...(group !== undefined && { gid: signed(group) }) };
};

/** How it ended. Rejects with ERR0113 when it cannot be started, with ERR0742 when its user is not known here. */
export const runHere = async (context: Context, { argv, spec, more, aside }: Here): Promise<ExitStatus> => {
  const identity = await identityOf(context, spec);
  const own = ownEnvironmentFor(spec, await inheritedEnvironment(context), identity.account);
  const environment = { ...unmarkedEnvironment(spec, own), ...more };
  const [program = '', ...args] = argv;
  const output = aside === true ? 2 : 1;
  try {
    const stdio: [number, number, number] = [0, output, 2];
    const options = { cwd: spec.workingDir, env: environment, stdio, ...idsOf(identity) };
    return await ended(spawn(program, args, options));
  } catch (error) {
    const { detail } = await explainRefusal({ argv, directory: spec.workingDir, environment }, error);
    const asked = aside === true ? {} : { command: program };
    throw failure({ code: 'ERR0113', service: spec.id, detail, ...asked });
  }
};

/** As a shell tells it. */
export const shellStatus = (status: ExitStatus): number => {
  if (status.tag === 'code') return status.code;
  const number = Object.entries(constants.signals).find(
    ([name]) => status.tag === 'signal' && name === status.signal,
  )?.[1];
  return 128 + (number ?? 0);
};
