// Keeps on disk which commands on behalf of services are running. If this supervisor is killed, the next one
// ends them, and can tell a daemon that a hook started from a hook that hangs. One file per command, named by
// its mark, with a description for messages.
// Rules: `docs/behaviour.md`, "Commands on behalf of a service", "When the supervisor dies".
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isMissing } from '../../../os/errno.ts';
import { readAtOnce, writeAtOnce } from '../../../os/files/own-file.ts';
import { runId, type RunId, type ServiceId } from '../../../streams/domain/ids.ts';
import { layoutOf } from '../../../streams/wire/layout.ts';

/** The marks of commands: `!command/<random>#<number>`. */
const MARK = /^(!command\/.+)#(\d+)$/;

export interface CommandLedger {
  /**
   * Adds a command's mark before it begins, a description, and its user if not the supervisor's. A second
   * entry of a mark replaces the first. The returned function removes the entry.
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

/** Removes an entry. One that cannot be removed is harmless: no process has its mark. */
const strike = (file: string): void => {
  try {
    rmSync(file, { force: true });
  } catch {
    // The disk refuses.
  }
};

/**
 * The ledger in this data directory. If the disk refuses an entry the command runs, but the next supervisor
 * does not find it.
 */
export const commandLedger = (dataDir: string): CommandLedger => {
  const { commands } = layoutOf(dataDir);
  return {
    begin: (mark, about, uid) => {
      const file = join(commands, encodeURIComponent(mark));
      try {
        enterIn(commands, file, uid === undefined ? about : `${about}\n${uid}`);
      } catch {
        // A full disk may create the file without its content.
      }
      return () => strike(file);
    },
  };
};

/** A command that was left running. */
export interface CommandLeft {
  readonly service: ServiceId;
  readonly run: RunId;
  /** Its description; empty if that was not kept. */
  readonly about: string;
  /** The user that it runs as, if not the supervisor's. Older supervisors did not keep it. */
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

/** The mark in a file's name; foreign files may have any name. */
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

/** Commands that any supervisor began and did not end. */
export const commandsLeft = (dataDir: string): readonly CommandLeft[] => {
  const { commands } = layoutOf(dataDir);
  return namesIn(commands).flatMap((name) => {
    const [, service, run] = MARK.exec(markIn(name)) ?? [];
    if (service === undefined) return [];
    const over = (): void => strike(join(commands, name));
    const [about = '', uid] = textIn(join(commands, name)).split('\n');
    const user = uid !== undefined && /^\d+$/.test(uid) ? { uid: Number(uid) } : {};
    // `begin` made the name from a mark.
    return [{ service: service as ServiceId, run: runId(Number(run)), about, ...user, over }];
  });
};
