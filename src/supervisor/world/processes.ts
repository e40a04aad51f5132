// By what means processes are started and their ends are heard of: the C library's own, where it can be called, else
// Node's (`docs/behaviour.md`, "Children and strays").
import { collectChildren, type Children } from '../../os/children/children.ts';
import { openLibc, type Libc } from '../../os/libc.ts';
import { growDescriptorTable } from '../../os/libc/descriptor-table.ts';
import { posixSpawn } from '../../os/libc/spawn.ts';
import { adoptStrays, waitOf } from '../../os/libc/wait.ts';
import { nodeChildren } from '../../os/children/node-children.ts';
import { statOfProcess } from '../../os/proc/proc-stat.ts';
import { bornWith } from '../../os/children/birthmark.ts';
import { Headroom } from '../../os/files/headroom.ts';
import { limitedTo } from '../../os/children/soft-files.ts';
import { strangersBy, type Strangers } from '../../os/children/strangers.ts';
import { startByNode, type StartChild } from '../../sinks/process/child.ts';
import { exitLedger, type OwnLedger } from '../../sinks/process/ledger.ts';
import type { Kin } from '../../sinks/privilege/template.ts';
import { posixStarter } from '../../sinks/process/posix-child.ts';
import type { ExitStatus } from '../../streams/domain/service/exit.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import type { ProcessStart } from '../../streams/wire/documents/documents.ts';

export interface Processes {
  readonly start: StartChild;
  readonly ledger: OwnLedger;
  /** Which of the two it is. */
  readonly means: () => ProcessStart;
  /** Where the ends of children are heard of that somebody else started for us. */
  readonly kin: () => Kin | undefined;
}

interface Means {
  readonly name: ProcessStart;
  readonly start: StartChild;
  readonly endOf: (process: ProcessRef) => Promise<ExitStatus> | undefined;
  readonly kin?: Kin;
}

const NODES: Means = { name: 'node', start: startByNode, endOf: () => undefined };

/** Started by Node and waited for by Node, for whoever does without the C library. */
export const nodesProcesses = (): Processes => processesBy(() => NODES);

/**
 * Opened with the first question: what the C library is called through takes some tens of milliseconds to load.
 * `softFiles`: how many files whoever is started may have open before it asks for more.
 */
export const ownProcesses = (softFiles: number | undefined, headroom = new Headroom()): Processes => {
  const isNodes = nodeChildren();
  return processesBy(() => {
    const opened = openLibc();
    const spawn = opened.tag === 'open' ? posixSpawn(opened.libc) : undefined;
    if (opened.tag === 'absent' || spawn === undefined) return NODES;
    const { libc } = opened;
    adoptStrays(libc);
    void growDescriptorTable(libc);
    const starts = { spawn, limited: limitedTo(libc, softFiles), born: bornWith(libc) };
    // Behind all that could fail: opened a second time, one would collect the children of the other.
    const children = collectChildren({ wait: waitOf(libc), isNodes, signals: process });
    const start = posixStarter({ ...starts, children });
    return {
      name: 'posix_spawn',
      start,
      endOf: endsBy({ children, libc, headroom }),
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
  readonly headroom: Headroom;
}

/** What was executed anew in the place of a supervisor has its children; what follows a dead one has none of them. */
const endsBy = ({ children, libc, headroom }: EndPorts): Means['endOf'] => {
  let strangers: Strangers | undefined;
  return (ref) => {
    if (statOfProcess(ref)?.parent === process.pid) return children.endOf(ref.pid);
    strangers ??= strangersBy(libc, process, headroom);
    return strangers.endOf(ref);
  };
};
