// Whether a process that carries the mark or the birthmark of a run is believed (`docs/behaviour.md`, "Who belongs to a
// run"). Anybody can write a mark into an environment and set a limit, so neither proves anything by itself: the kernel's
// word on the process's user decides, and a claim to belong to another supervisor counts only if that one is there.
import { PatientReader } from '../../os/proc/patient-reader.ts';
import { environmentOf } from '../../os/proc/proc.ts';
import { isWholly, userIdsOf } from '../../os/proc/user-ids.ts';
import { layoutOf } from '../../streams/wire/layout.ts';
import { lockHolder } from '../store/lock.ts';
import { parseProof } from '../store/lock-proof.ts';
import { isAlive } from '../store/process-proof.ts';
import { isGuardian } from './guardian.ts';
import { claimIn } from './mark.ts';

const ownUid = (): number => process.getuid?.() ?? 0;

const ROOT = 0;

/**
 * True if one of these users, our own or root began it. A set-user-ID program keeps the real user of its caller, so it
 * counts for the service that started it, and not for the owner of the program. One that became root altogether is root's;
 * no other user can start such a process with a forged limit, except through such a program. An unprivileged supervisor
 * cannot end it, so the stop stays undecided and names it.
 */
export const isOfUsers = (pid: number, users: ReadonlySet<number>): boolean => {
  const ids = userIdsOf(pid);
  return ids !== undefined && (ids.real === ownUid() || ids.real === ROOT || users.has(ids.real));
};

/** It may be taken for a run's main process: its real, effective and saved user are one of these, or our own. */
export const isWhollyOfUsers = (pid: number, users: ReadonlySet<number>): boolean => {
  const ids = userIdsOf(pid);
  return [ownUid(), ...users].some((uid) => isWholly(uid, ids));
};

interface Carrier {
  readonly pid: number;
  /** Of its environment, as far as that was read. */
  readonly claim: string | undefined;
}

/** Who says that it belongs to another supervisor, and really does. */
export class Claims {
  readonly #dataDir: string;
  readonly #reader: PatientReader;

  constructor(dataDir: string, reader = new PatientReader()) {
    this.#dataDir = dataDir;
    this.#reader = reader;
  }

  /** Empty where it is not to be had in time. */
  async environmentOf(pid: number): Promise<readonly string[]> {
    const ids = userIdsOf(pid);
    if (isWholly(ownUid(), ids)) return environmentOf(pid);
    return ((await this.#reader.textOf(`/proc/${pid}/environ`)) ?? '').split('\0');
  }

  /** Those of them that are another supervisor's. */
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

  /** Its supervisor is there, is not ours, and runs as the same user: another's is not the one it belongs to. */
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
