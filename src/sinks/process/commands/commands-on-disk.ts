// Records running commands on disk: one file for each command, with the command's run tag as its name. If
// this supervisor is killed, the next supervisor kills the recorded commands. It does not kill a daemon that
// a hook has started.
// Rules: `docs/behaviour.md`, "Commands on behalf of a service", "When the supervisor dies";
// `docs/behaviour.md`, "Adoption".
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn } from '../../../os/files/directories.ts';
import { isMissing } from '../../../os/errno.ts';
import { readAtOnce, writeAtOnce } from '../../../os/files/own-file.ts';
import { runId, type RunId, type ServiceId } from '../../../streams/domain/ids.ts';
import { layoutOf } from '../../../streams/wire/layout.ts';

/** The run tag of a command: `!command/<random>#<number>`. */
const MARK = /^(!command\/.+)#(\d+)$/;

export interface CommandLedger {
  /**
   * Records a command before it starts, with its uid if that is not the supervisor's. Returns a function that
   * removes the entry.
   */
  begin(mark: string, about: string, uid?: number): () => void;
}

const enterIn = (directory: string, file: string, about: string): void => {
  const enter = (): void => writeAtOnce(file, about);
  try {
    enter();
  } catch (error) {
    if (!isMissing(error)) throw error;
    mkdirSync(directory, { mode: 0o700 });
    enter();
  }
};

/** Removes an entry. If that fails, the entry stays, which is harmless if no process has its run tag. */
const removeEntry = (file: string): void => {
  try {
    rmSync(file, { force: true });
  } catch {
    // The disk refuses to remove the entry.
  }
};

/** Returns the ledger in this data directory. If an entry cannot be written, the command runs anyway. */
export const commandLedger = (dataDir: string): CommandLedger => {
  const { commands } = layoutOf(dataDir);
  return {
    begin: (mark, about, uid) => {
      const file = join(commands, encodeURIComponent(mark));
      try {
        enterIn(commands, file, uid === undefined ? about : `${about}\n${uid}`);
      } catch {
        // On a full disk the file may exist but be empty. Its name is enough to find the command.
      }
      return () => removeEntry(file);
    },
  };
};

/** A command that a dead supervisor left running. */
export interface CommandLeft {
  readonly service: ServiceId;
  readonly run: RunId;
  /** The description of the command for messages, if one was recorded. */
  readonly about: string;
  /** The command's uid, if not the supervisor's; older versions did not record it. */
  readonly uid?: number;
  /** Removes the entry. */
  readonly over: () => void;
}

/** Returns the run tag in a file name. Other files in the directory may have any name. */
const markIn = (name: string): string => {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
};

const textIn = (file: string): string => {
  try {
    return readAtOnce(file).toString();
  } catch {
    return '';
  }
};

/** Returns all recorded commands, which are those that no supervisor has seen end. */
export const commandsLeft = (dataDir: string): readonly CommandLeft[] => {
  const { commands } = layoutOf(dataDir);
  return namesIn(commands).flatMap((name) => {
    const [, service, run] = MARK.exec(markIn(name)) ?? [];
    if (service === undefined) return [];
    const over = (): void => removeEntry(join(commands, name));
    const [about = '', uid] = textIn(join(commands, name)).split('\n');
    const user = uid !== undefined && /^\d+$/.test(uid) ? { uid: Number(uid) } : {};
    // `begin` made the file name from a run tag, so `service` is the id of a service.
    return [{ service: service as ServiceId, run: runId(Number(run)), about, ...user, over }];
  });
};
