// Decides if a process with the tag of a run belongs to it (`docs/behaviour.md`, "Who belongs to a run"). Any
// process can write a run tag into an environment or set the limit that is the rlimit tag, so neither proves
// anything. The user that the kernel records for the process decides. If the process's environment names
// another supervisor, that counts only if that supervisor is running.
import { PatientReader } from '../../os/proc/patient-reader.ts';
import { environmentOf, isWholly, userIdsOf } from '../../os/proc/process-facts.ts';
import { layoutOf } from '../../streams/wire/layout.ts';
import { lockHolder } from '../store/lock.ts';
import { isAlive, parseProof } from '../store/lock-proof.ts';
import { isGuardian } from './guardian.ts';
import { claimIn } from './run-tag.ts';

const ownUid = (): number => process.getuid?.() ?? 0;

const ROOT = 0;

/**
 * True if the real user of the process is one of `users`, our own, or root.
 *
 * A set-user-ID program keeps the real user of its caller, so it counts for the service and not for the owner
 * of the program. A process that became root entirely counts as root's; only through such a program could
 * another user start a process with a forged limit. An unprivileged supervisor cannot kill that process, so
 * the stop remains unverified and names it.
 */
export const isOfUsers = (pid: number, users: ReadonlySet<number>): boolean => {
  const ids = userIdsOf(pid);
  return ids !== undefined && (ids.real === ownUid() || ids.real === ROOT || users.has(ids.real));
};

/**
 * True if the process may be the main process of a run: its real, effective and saved user are the same, and
 * this user is one of `users` or our own.
 */
export const isWhollyOfUsers = (pid: number, users: ReadonlySet<number>): boolean => {
  const ids = userIdsOf(pid);
  return [ownUid(), ...users].some((uid) => isWholly(uid, ids));
};

interface Carrier {
  readonly pid: number;
  /**
   * Data directory of another supervisor that the environment of the process names; `undefined` if it names
   * none or was not read.
   */
  readonly claim: string | undefined;
}

/** Finds processes that name another supervisor in their environment, and really belong to it. */
export class Claims {
  readonly #dataDir: string;
  readonly #reader: PatientReader;

  constructor(dataDir: string, reader = new PatientReader()) {
    this.#dataDir = dataDir;
    this.#reader = reader;
  }

  /** Returns the environment of a process; an empty one if it cannot be read in time. */
  async environmentOf(pid: number): Promise<readonly string[]> {
    const ids = userIdsOf(pid);
    if (isWholly(ownUid(), ids)) return environmentOf(pid);
    return ((await this.#reader.textOf(`/proc/${pid}/environ`)) ?? '').split('\0');
  }

  /** Returns the pids of the processes that belong to another supervisor. */
  async trueOf(carriers: readonly Carrier[]): Promise<ReadonlySet<number>> {
    const others = await Promise.all(
      carriers.map(async (carrier) => ((await this.#isTrue(carrier)) ? [carrier.pid] : [])),
    );
    return new Set(others.flat());
  }

  async #isTrue({ pid, claim: known }: Carrier): Promise<boolean> {
    const claim = known ?? claimIn(await this.environmentOf(pid), this.#dataDir);
    if (claim?.startsWith('/') !== true) return false;
    return claim === this.#dataDir ? isGuardian(pid, claim) : this.#isHeldFor(claim, pid);
  }

  /**
   * True if the supervisor of the data directory `claim` runs, is not ours, and has the same user as the
   * process.
   */
  async #isHeldFor(claim: string, pid: number): Promise<boolean> {
    const holder = parseProof((await this.#reader.textOf(layoutOf(claim).lock)) ?? '');
    if (!isAlive(holder) || holder.pid === this.#ownHolder()) return false;
    return userIdsOf(holder.pid)?.real === userIdsOf(pid)?.real;
  }

  /**
   * Returns the pid that holds our directory. A path that another process names may lead to the same
   * directory.
   */
  #ownHolder(): number | undefined {
    try {
      return lockHolder(this.#dataDir);
    } catch {
      return process.pid;
    }
  }
}
