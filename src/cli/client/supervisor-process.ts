// Starts the resident supervisor under its guardian: in a new session, in `/`, without the caller's terminal,
// open files and service variables.
import { spawn } from 'node:child_process';
import { closeSync, constants, fstatSync } from 'node:fs';
import { makeDirectory } from '../../os/files/directories.ts';
import { openAtOnce, readAtOnce } from '../../os/files/own-file.ts';
import { withNothingInherited } from '../../os/children/drop-callers-descriptors.ts';
import { ownSoftFiles } from '../../os/children/file-limit.ts';
import { claimSocketPlace } from '../../sources/control/socket-place.ts';
import { claimDataDirectory } from '../../sources/store/data-directory.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import { placePorts, type Context } from '../context.ts';
import { failure } from '../../streams/views/errors/command-failure.ts';
import { supervisorEnvironment } from '../../client/manifests/manifest-paths.ts';
import { NODE_WORDS } from '../../supervisor/loader/program-files.ts';

export interface Launched {
  /**
   * Returns the exit status of the guardian, which is also the exit status of its supervisor. 128: a signal
   * killed the guardian. 127: the guardian could not be started. `undefined`: the guardian still runs.
   */
  readonly exited: () => number | undefined;
  /** Returns the lines that the supervisor has written to its standard error since this start. */
  readonly said: () => readonly string[];
}

/**
 * Opens the file for the supervisor's standard error. The supervisor writes crash reports to it, and messages
 * from before its log is open. Also returns the size of the file. Throws if a directory cannot be used.
 */
const openErrorFile = (context: Context): { file: string; descriptor: number; size: number } => {
  const { layout, dataDir, sys } = context;
  const file = `${layout.supervisorLogs}/supervisor.err`;
  const refusal = claimDataDirectory(dataDir, { sys }) ?? claimSocketPlace(placePorts(context));
  if (refusal !== undefined) throw failure(refusal);
  try {
    makeDirectory(layout.supervisorLogs, 0o700);
    const descriptor = openAtOnce(file, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND);
    return { file, descriptor, size: fstatSync(descriptor).size };
  } catch (error) {
    const detail = messageOf(error);
    throw failure({ code: 'ERR0701', file: dataDir, detail });
  }
};

/** Starts a guardian with a supervisor. Throws ERR0701 if a directory cannot be used. */
export const launchSupervisor = (context: Context): Launched => {
  const { world, sys, dataDir } = context;
  const { file, descriptor, size } = openErrorFile(context);
  const soft = ownSoftFiles();
  const flags = [...(sys ? ['--sys'] : []), ...(soft === undefined ? [] : [`--soft-files=${soft}`])];
  const program = [process.execPath, ...NODE_WORDS, world.supervisor, '--guarded', ...flags];
  const child = withNothingInherited(['ignore', 'ignore', descriptor], (stdio) =>
    spawn('/bin/sh', [world.guardian, dataDir, ...program], {
      detached: true,
      cwd: '/',
      stdio,
      env: supervisorEnvironment(world.environment, dataDir),
    }),
  );
  closeSync(descriptor);
  let status: number | undefined;
  child.once('error', () => (status = 127));
  child.once('exit', (code) => (status = code ?? 128));
  child.unref();
  return {
    exited: () => status,
    said: () => readAtOnce(file).subarray(size).toString('utf8').split('\n').filter(Boolean),
  };
};
