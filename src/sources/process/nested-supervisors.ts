// Finds processes that belong to a supervisor that a service has started. The environment of such a process
// names another data directory. That counts only while a supervisor of the same user runs there.
// Rules: `docs/behaviour.md`, "Children and strays"; `docs/behaviour.md`, "Who belongs to a run".
import { PatientReader } from '../../os/proc/read-with-time-limit.ts';
import { environmentOf, isWholly, userIdsOf } from '../../os/proc/process-facts.ts';
import { layoutOf } from '../../streams/wire/layout.ts';
import { lockHolder } from '../store/lock.ts';
import { isAlive, parseProof } from '../store/lock-file.ts';
import { isGuardian } from './guardian.ts';

const ownUid = (): number => process.getuid?.() ?? 0;

const valueIn = (variables: readonly string[], name: string): string | undefined =>
  variables.find((variable) => variable.startsWith(`${name}=`))?.slice(name.length + 1);

/** Returns the data directory of another supervisor, if the environment names one. */
export const claimIn = (variables: readonly string[], dataDir: string): string | undefined => {
  if (variables.includes(`SUP_SUPERVISOR=${dataDir}`)) return undefined;
  return valueIn(variables, 'SUP_SUPERVISOR') ?? valueIn(variables, 'SUP_DATA_DIR');
};

interface Carrier {
  readonly pid: number;
  /** The data directory of another supervisor that the environment of the process names. */
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
   * True if a supervisor of the directory `claim` runs, is not ours, and has the same user as the process.
   */
  async #isHeldFor(claim: string, pid: number): Promise<boolean> {
    const holder = parseProof((await this.#reader.textOf(layoutOf(claim).lock)) ?? '');
    if (!isAlive(holder) || holder.pid === this.#ownHolder()) return false;
    return userIdsOf(holder.pid)?.real === userIdsOf(pid)?.real;
  }

  /**
   * Returns the pid of the supervisor that holds our data directory. It is compared by pid, because `claim`
   * may be another path to this directory.
   */
  #ownHolder(): number | undefined {
    try {
      return lockHolder(this.#dataDir);
    } catch {
      return process.pid;
    }
  }
}
