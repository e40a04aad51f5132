// Records on disk which commands on behalf of services are running. If this supervisor is killed, the next
// one kills these commands; it can also tell a daemon that a hook has started from a hook that hangs. There
// is one file per command. Its name is the command's run tag, its content a description for messages.
// Rules: `docs/behaviour.md`, "Commands on behalf of a service", "When the supervisor dies".
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isMissing } from '../../../os/errno.ts';
import { readAtOnce, writeAtOnce } from '../../../os/files/own-file.ts';
import { runId, type RunId, type ServiceId } from '../../../streams/domain/ids.ts';
import { layoutOf } from '../../../streams/wire/layout.ts';

/** The run tag of a command: `!command/<random>#<number>`. */
const MARK = /^(!command\/.+)#(\d+)$/;

export interface CommandLedger {
  /**
   * Records a command before it starts: its run tag, a description, and its uid if that is not the
   * supervisor's. A second entry with the same tag replaces the first. Call the returned function to remove
   * the entry.
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

/** Removes an entry. An entry that stays is harmless, because no process has its run tag any more. */
const strike = (file: string): void => {
  try {
    rmSync(file, { force: true });
  } catch {
    // The disk refuses: leave the entry.
  }
};

/**
 * Returns the ledger in this data directory. If an entry cannot be written the command runs anyway, but the
 * next supervisor will not find it.
 */
export const commandLedger = (dataDir: string): CommandLedger => {
  const { commands } = layoutOf(dataDir);
  return {
    begin: (mark, about, uid) => {
      const file = join(commands, encodeURIComponent(mark));
      try {
        enterIn(commands, file, uid === undefined ? about : `${about}\n${uid}`);
      } catch {
        // A full disk may have created the file without its content; the name alone is enough to find the
        // command.
      }
      return () => strike(file);
    },
  };
};

/** A command that a dead supervisor left running. */
export interface CommandLeft {
  readonly service: ServiceId;
  readonly run: RunId;
  /** Text that describes the command in messages; empty if it could not be recorded. */
  readonly about: string;
  /** The uid of the command, if not the supervisor's. Supervisors of older versions did not record it. */
  readonly uid?: number;
  /** Removes the entry. */
  readonly over: () => void;
}

const namesIn = (directory: string): readonly string[] => {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
};

/** Returns the run tag that a file name encodes. Other files in the directory may have any name. */
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

/** Returns all recorded commands: an earlier supervisor started them and did not see their end. */
export const commandsLeft = (dataDir: string): readonly CommandLeft[] => {
  const { commands } = layoutOf(dataDir);
  return namesIn(commands).flatMap((name) => {
    const [, service, run] = MARK.exec(markIn(name)) ?? [];
    if (service === undefined) return [];
    const over = (): void => strike(join(commands, name));
    const [about = '', uid] = textIn(join(commands, name)).split('\n');
    const user = uid !== undefined && /^\d+$/.test(uid) ? { uid: Number(uid) } : {};
    // `begin` made the file name from a run tag.
    return [{ service: service as ServiceId, run: runId(Number(run)), about, ...user, over }];
  });
};
