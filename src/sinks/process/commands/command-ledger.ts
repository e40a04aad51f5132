// Which commands on behalf of services are under way, kept where the next supervisor looks: what this one cannot end any
// more because it is killed is ended then, and a daemon that a hook was there to start is told from a hook that hangs.
// One file for each, named by its mark, with what it is for whoever is told.
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
   * Enters the mark of a command before it begins, what it is, and the user that it runs as if that is not the
   * supervisor's. A second entry of a mark replaces the first. The returned function removes the entry.
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

/** An entry that stays is of nobody: the next supervisor finds nobody with that mark. */
const strike = (file: string): void => {
  try {
    rmSync(file, { force: true });
  } catch {
    // The disk is as it is.
  }
};

/** A disk that cannot take it costs no command: it is only not found by the next supervisor. */
export const commandLedger = (dataDir: string): CommandLedger => {
  const { commands } = layoutOf(dataDir);
  return {
    begin: (mark, about, uid) => {
      const file = join(commands, encodeURIComponent(mark));
      try {
        enterIn(commands, file, uid === undefined ? about : `${about}\n${uid}`);
      } catch {
        // A full disk takes the entry, and not what it says.
      }
      return () => strike(file);
    },
  };
};

/** A command as the process table knows it. */
export interface CommandLeft {
  readonly service: ServiceId;
  readonly run: RunId;
  /** What it is; nothing where that was not kept. */
  readonly about: string;
  /** The user that it runs as, if that is not the supervisor's. Older supervisors did not keep it. */
  readonly uid?: number;
  /** Strikes it out. */
  readonly over: () => void;
}

const namesIn = (directory: string): readonly string[] => {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
};

/** Somebody else's file has a name of any form. */
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

/** Those that were begun and not ended, by whichever supervisor. */
export const commandsLeft = (dataDir: string): readonly CommandLeft[] => {
  const { commands } = layoutOf(dataDir);
  return namesIn(commands).flatMap((name) => {
    const [, service, run] = MARK.exec(markIn(name)) ?? [];
    if (service === undefined) return [];
    const over = (): void => strike(join(commands, name));
    const [about = '', uid] = textIn(join(commands, name)).split('\n');
    const user = uid !== undefined && /^\d+$/.test(uid) ? { uid: Number(uid) } : {};
    // The name was made of a mark by `begin`.
    return [{ service: service as ServiceId, run: runId(Number(run)), about, ...user, over }];
  });
};
