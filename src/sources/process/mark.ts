// The mark in a process's environment: which run of which supervisor it was born into (`SUP_UNIT`, `SUP_SUPERVISOR`).
// By it a descendant is recognised that left its session and lost its ancestors. Anybody can write such a mark, so it says
// nothing of a process of another user: see `vouching.ts`.
import { birthmarkOf } from '../../os/children/birthmark.ts';
import { environmentOf } from '../../os/proc/proc.ts';
import { userIdsOf, type UserIds } from '../../os/proc/user-ids.ts';
import { NAME_PATTERN, runId, type RunId, type ServiceId } from '../../streams/domain/ids.ts';
import type { ProcStat } from '../../os/proc/stat-line.ts';

/** The value of `SUP_UNIT` of a process that carries our `SUP_SUPERVISOR`. */
type MarkOf = (stat: ProcStat) => string | undefined;

interface Remembered {
  readonly image: string;
  readonly startTicks: number;
  readonly mark: string | undefined;
  /** The data directory of a supervisor that its environment names without naming ours as its own. */
  readonly claim: string | undefined;
}

interface Born {
  readonly image: string;
  readonly startTicks: number;
  readonly birthmark: string | undefined;
}

export interface Marks {
  readonly markOf: MarkOf;
  /** The birthmark it has, whatever its environment says. Whether that counts is for `vouching.ts`. */
  readonly birthmarkOf: MarkOf;
  /** As last read by `markOf`: another supervisor's directory that its environment names. */
  readonly claimOf: MarkOf;
  /** Whether it is known if it has one: not while it is in the middle of `exec`, and not of a stranger's process. */
  readonly isTold: (stat: ProcStat) => boolean;
  /** Forgets everybody but these. */
  retain(alive: ReadonlyMap<number, unknown>): void;
}

interface MarksPorts {
  /** Our own user; the test of a privileged supervisor names another. */
  readonly uid?: number;
  readonly userIds?: (pid: number) => UserIds | undefined;
}

/**
 * Reads each environment once per program image. A process is another image after `exec`, and the kernel then puts
 * its environment at another address: pid, start time and that address together are what a remembered mark is good
 * for. Without the address (a stranger's process, or one in the middle of `exec`) nothing is read, and what was true
 * before `exec` goes on being true; so it does at the first look at an empty environment, which may be one that `exec` has
 * not written yet.
 *
 * The environment of another user's process is never read here. It lies in that process's memory, which the process can
 * place on a FUSE file system that never answers, and the read would block the supervisor. A process of a service with a
 * `user` is recognised by its birthmark instead, which the kernel itself keeps.
 */
export const marks = (dataDir: string, ports: MarksPorts = {}): Marks => new KnownMarks(dataDir, ports);

class KnownMarks implements Marks {
  readonly #dataDir: string;
  readonly #ports: Required<MarksPorts>;
  readonly #remembered = new Map<number, Remembered>();
  readonly #births = new Map<number, Born>();
  /** Who was seen with an empty environment, and as which image. */
  readonly #bare = new Map<number, string>();

  constructor(dataDir: string, ports: MarksPorts) {
    this.#dataDir = dataDir;
    this.#ports = { uid: process.getuid?.() ?? 0, userIds: userIdsOf, ...ports };
  }

  markOf(stat: ProcStat): string | undefined {
    if (!isReadable(stat)) return this.#known(stat)?.mark;
    const image = imageOf(stat);
    const known = this.#remembered.get(stat.pid);
    if (known?.image === image) return known.mark;
    return this.#read(stat, image);
  }

  #read(stat: ProcStat, image: string): string | undefined {
    const { pid, startTicks } = stat;
    const environment = this.#isOwn(pid) ? environmentOf(pid) : FOREIGN;
    if (environment.length === 0 && this.#bare.get(pid) !== image) {
      this.#bare.set(pid, image);
      return this.#known(stat)?.mark;
    }
    const mark = markIn(environment, this.#dataDir);
    const claim = claimIn(environment, this.#dataDir);
    this.#remembered.set(pid, { image, startTicks, mark, claim });
    return mark;
  }

  birthmarkOf(stat: ProcStat): string | undefined {
    const known = this.#births.get(stat.pid);
    const { pid, startTicks } = stat;
    const isKnown = known?.startTicks === startTicks;
    // A copy of a template gets its birthmark late: only one that is there is remembered for good.
    if (isKnown && (known.birthmark !== undefined || known.image === imageOf(stat))) return known.birthmark;
    const birthmark = birthmarkOf(pid);
    this.#births.set(pid, { image: imageOf(stat), startTicks, birthmark });
    return birthmark;
  }

  claimOf(stat: ProcStat): string | undefined {
    return this.#known(stat)?.claim;
  }

  isTold(stat: ProcStat): boolean {
    return this.#known(stat) !== undefined;
  }

  retain(alive: ReadonlyMap<number, unknown>): void {
    for (const known of [this.#remembered, this.#births, this.#bare])
      for (const pid of known.keys()) if (!alive.has(pid)) known.delete(pid);
  }

  /** What is remembered of this very process, be it of the image before. */
  #known({ pid, startTicks }: ProcStat): Remembered | undefined {
    const known = this.#remembered.get(pid);
    return known?.startTicks === startTicks ? known : undefined;
  }

  /** Root can read everybody's environment; who is not root is refused by the kernel. */
  #isOwn(pid: number): boolean {
    const { uid, userIds } = this.#ports;
    if (uid !== ROOT) return true;
    const ids = userIds(pid);
    return ids?.real === uid && ids.effective === uid;
  }
}

const ROOT = 0;
/** What is known of the environment of another user's process: it is not asked for. */
const FOREIGN: readonly string[] = [''];

const imageOf = ({ startTicks, environmentAt }: ProcStat): string => `${startTicks}@${environmentAt}`;

/** Of a headless process no address is told, and it executes nothing before it has a head again. */
const isReadable = ({ environmentAt, isHeadless }: ProcStat): boolean =>
  environmentAt !== '0' || isHeadless === true;

const markIn = (variables: readonly string[], dataDir: string): string | undefined => {
  if (!variables.includes(`SUP_SUPERVISOR=${dataDir}`)) return undefined;
  const mark = variables.find((variable) => variable.startsWith(UNIT))?.slice(UNIT.length);
  return mark !== undefined && isMark(mark) ? mark : undefined;
};

const valueIn = (variables: readonly string[], name: string): string | undefined =>
  variables.find((variable) => variable.startsWith(`${name}=`))?.slice(name.length + 1);

/**
 * The directory of a supervisor to which such a process would belong instead: a supervisor that a service has started, its
 * guardian, and what they started. A process that says it is of ours has no such claim.
 */
export const claimIn = (variables: readonly string[], dataDir: string): string | undefined => {
  if (variables.includes(`SUP_SUPERVISOR=${dataDir}`)) return undefined;
  return valueIn(variables, 'SUP_SUPERVISOR') ?? valueIn(variables, 'SUP_DATA_DIR');
};

const UNIT = 'SUP_UNIT=';

const NAME = NAME_PATTERN.source.slice(1, -1);
/** `shop/web#4`, `shop/web@2#4`; the marks of the supervisor's own commands begin with `!`. */
const MARK = new RegExp(`^(${NAME}/${NAME}(?:@\\d{1,6})?)#(\\d{1,15})$`);
const COMMAND_MARK = new RegExp(`^!command/${NAME}#\\d{1,15}$`);

/** What has another form was not written by a supervisor, and is neither looked at nor shown. */
const isMark = (text: string): boolean => MARK.test(text) || COMMAND_MARK.test(text);

/** Which run of which service a mark is about; `undefined` for that of a command. */
export const runOfMark = (mark: string): { readonly service: ServiceId; readonly run: RunId } | undefined => {
  const [, service, run] = MARK.exec(mark) ?? [];
  // The mark was made of a service's id by `unitMark`.
  return service === undefined ? undefined : { service: service as ServiceId, run: runId(Number(run)) };
};
