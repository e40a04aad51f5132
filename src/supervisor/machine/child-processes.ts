// Starts processes and receives their exits: through the C library, or through Node if the C library cannot
// be called.
// Rules: `docs/behaviour.md`, "Children and strays"; `docs/behaviour.md`, "Adoption".
import { type Children, collectChildren, nodeChildren } from '../../os/children/child-reaper.ts';
import { openLibc, type Libc } from '../../os/libc/libc.ts';
import { growDescriptorTable } from '../../os/libc/file-calls.ts';
import { posixSpawn } from '../../os/libc/posix-spawn.ts';
import { becomeSubreaper, waitOf } from '../../os/libc/process-ends.ts';
import { statOfProcess } from '../../os/proc/process-stat.ts';
import { taggedStarter } from '../../os/children/rlimit-tag.ts';
import { DescriptorBudget } from '../../os/descriptor-budget.ts';
import { limitedTo } from '../../os/children/file-limit.ts';
import { strangersBy, type Strangers } from '../../os/children/pidfd-exits.ts';
import { startByNode, type StartChild } from '../../sinks/process/start-by-node.ts';
import { exitLedger, type OwnLedger } from '../../sinks/process/exit-ledger.ts';
import type { Kin } from '../../sinks/privilege/start-launcher.ts';
import { posixStarter } from '../../sinks/process/start-by-posix-spawn.ts';
import type { ExitStatus } from '../../streams/domain/service/exit-status.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import type { ProcessStart } from '../../streams/wire/documents/documents.ts';

export interface Processes {
  readonly start: StartChild;
  readonly ledger: OwnLedger;
  /** Returns how processes are started now: through the C library (`posix_spawn`) or through Node. */
  readonly means: () => ProcessStart;
  /**
   * Returns what reports the exits of children that the launcher template forked for this process;
   * `undefined` if the C library could not be loaded.
   */
  readonly kin: () => Kin | undefined;
}

interface Means {
  readonly name: ProcessStart;
  readonly start: StartChild;
  readonly endOf: (process: ProcessRef) => Promise<ExitStatus> | undefined;
  readonly kin?: Kin;
}

const NODES: Means = { name: 'node', start: startByNode, endOf: () => undefined };

/** Returns the functions that start processes, and receive their exits, through Node. */
export const nodesProcesses = (): Processes => processesBy(() => NODES);

/**
 * Returns the functions that start processes through the C library. It is opened at first use, because that
 * takes tens of ms. `softFiles`: the soft limit of open files of these processes.
 */
export const ownProcesses = (
  softFiles: number | undefined,
  descriptorBudget = new DescriptorBudget(),
): Processes => {
  const isNodes = nodeChildren();
  return processesBy(() => {
    const opened = openLibc();
    const spawn = opened.tag === 'open' ? posixSpawn(opened.libc) : undefined;
    if (opened.tag === 'absent' || spawn === undefined) return NODES;
    const { libc } = opened;
    becomeSubreaper(libc);
    void growDescriptorTable(libc);
    const starts = { spawn, limited: limitedTo(libc, softFiles), startTagged: taggedStarter(libc) };
    // This step comes last, because the steps above can fail. If they were repeated afterwards, a second
    // collector would take the exits that the first one awaits.
    const children = collectChildren({ wait: waitOf(libc), isNodes, signals: process });
    const start = posixStarter({ ...starts, children });
    return {
      name: 'posix_spawn',
      start,
      endOf: endsBy({ children, libc, descriptorBudget }),
      kin: { libc, children },
    };
  });
};

const processesBy = (open: () => Means): Processes => {
  let opened: Means | undefined;
  const means = (): Means => (opened ??= open());
  return {
    start: (plan) => means().start(plan),
    ledger: exitLedger((process) => means().endOf(process)),
    means: () => means().name,
    kin: () => means().kin,
  };
};

interface EndPorts {
  readonly children: Children;
  readonly libc: Libc;
  readonly descriptorBudget: DescriptorBudget;
}

/**
 * Returns a function that resolves to the exit of a process that this program did not start. After a re-exec,
 * the processes of runs are still children of this process; after a restart they are not.
 */
const endsBy = ({ children, libc, descriptorBudget }: EndPorts): Means['endOf'] => {
  let strangers: Strangers | undefined;
  return (ref) => {
    if (statOfProcess(ref)?.parent === process.pid) return children.endOf(ref.pid);
    strangers ??= strangersBy(libc, process, descriptorBudget);
    return strangers.endOf(ref);
  };
};
