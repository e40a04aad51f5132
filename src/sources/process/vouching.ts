// Whether a process with the mark or birthmark of a run is believed
// (`docs/behaviour.md`, "Who belongs to a run"). Any process can write a mark into an environment and set a
// limit, so neither is a proof. The kernel's record of its user decides. A claim to belong to another
// supervisor counts only if that supervisor runs.
import { PatientReader } from '../../os/proc/patient-reader.ts';
import { environmentOf, isWholly, userIdsOf } from '../../os/proc/process-facts.ts';
import { layoutOf } from '../../streams/wire/layout.ts';
import { lockHolder } from '../store/lock.ts';
import { isAlive, parseProof } from '../store/lock-proof.ts';
import { isGuardian } from './guardian.ts';
import { claimIn } from './mark.ts';

const ownUid = (): number => process.getuid?.() ?? 0;

const ROOT = 0;

/**
 * True if one of these users, our own or root started it. A set-user-ID program keeps the real user of its
 * caller, so it counts for the service, not for the program's owner. A process that became root entirely is
 * root's. Only through such a program can another user start one with a forged limit. An unprivileged
 * supervisor cannot end it, so the stop stays undecided and names it.
 */
export const isOfUsers = (pid: number, users: ReadonlySet<number>): boolean => {
  const ids = userIdsOf(pid);
  return ids !== undefined && (ids.real === ownUid() || ids.real === ROOT || users.has(ids.real));
};

/**
 * True if it may be a run's main process: its real, effective and saved user are one of these, or our own.
 */
export const isWhollyOfUsers = (pid: number, users: ReadonlySet<number>): boolean => {
  const ids = userIdsOf(pid);
  return [ownUid(), ...users].some((uid) => isWholly(uid, ids));
};

interface Carrier {
  readonly pid: number;
  /** The claim in its environment, as far as that was read. */
  readonly claim: string | undefined;
}

/** Finds processes that say they belong to another supervisor, and really do. */
export class Claims {
  readonly #dataDir: string;
  readonly #reader: PatientReader;

  constructor(dataDir: string, reader = new PatientReader()) {
    this.#dataDir = dataDir;
    this.#reader = reader;
  }

  /** Returns an empty list if the environment cannot be read in time. */
  async environmentOf(pid: number): Promise<readonly string[]> {
    const ids = userIdsOf(pid);
    if (isWholly(ownUid(), ids)) return environmentOf(pid);
    return ((await this.#reader.textOf(`/proc/${pid}/environ`)) ?? '').split('\0');
  }

  /** Returns those that belong to another supervisor. */
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

  /** True if that supervisor runs, is not ours, and has the same user as the process. */
  async #isHeldFor(claim: string, pid: number): Promise<boolean> {
    const holder = parseProof((await this.#reader.textOf(layoutOf(claim).lock)) ?? '');
    if (!isAlive(holder) || holder.pid === this.#ownHolder()) return false;
    return userIdsOf(holder.pid)?.real === userIdsOf(pid)?.real;
  }

  /** Another path may lead to our own directory. */
  #ownHolder(): number | undefined {
    try {
      return lockHolder(this.#dataDir);
    } catch {
      return process.pid;
    }
  }
}
