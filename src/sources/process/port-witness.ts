// Finds a process that listens on a port instead of the run (`PortWitness`; ERR0105). A listening socket has
// an inode in `/proc/net`, and a process that holds the socket has a descriptor for this inode. With
// SO_REUSEPORT several processes can listen on a port; it is enough if one of them belongs to the run. If a
// fact cannot be read, the run counts as the listener.
//
// Rules: `docs/behaviour.md`, "Instances", "Its own answer".
import { setImmediate } from 'node:timers/promises';
import { lastValueFrom } from 'rxjs';
import {
  inodeOfEnd,
  type Inodes,
  inodesAtPath,
  isSocketOf,
  type Listener,
  listenersOn,
  listenTable,
  plainAddress,
  socketOf,
} from '../../os/proc/net-sockets.ts';
import { isGone } from '../../os/errno.ts';
import { nameOfProcess, processIds } from '../../os/proc/process-facts.ts';
import { statOf } from '../../os/proc/process-stat.ts';
import type { RunId } from '../../streams/domain/ids.ts';
import type {
  Acceptor,
  ListenPlace,
  LocalPlace,
  PortHolder,
  PortOwner,
  PortConflict,
} from '../../streams/domain/service/port.ts';
import type { ProcessScanner, PortWitness } from '../../streams/domain/ports.ts';
import { marks, type Marks } from './read-tags.ts';
import { runOfMark } from '../../streams/env/run-tag.ts';
import { sharedScan } from './shared-scan.ts';

interface PortWitnessPorts {
  readonly dataDir: string;
  readonly scanner: ProcessScanner;
}

/**
 * Proof that the run listens: `link` is the path, in `/proc`, of a descriptor of one of its processes. The
 * descriptor is one of the listening sockets `inodes`.
 */
interface Proof {
  readonly run: RunId;
  readonly link: string;
  readonly inodes: Inodes;
}

/** Number of processes examined in one turn of the event loop when searching for the holder of a port. */
const SLICE = 100;

export const portWitness = ({ dataDir, scanner }: PortWitnessPorts): PortWitness => {
  const table = sharedScan<unknown, ReturnType<typeof listenTable>>(() => Promise.resolve(listenTable()));
  const known = marks(dataDir);
  const proofs = new Map<string, Proof>();

  /** Returns the proof that the run listens; `hidden` if one of its processes cannot be examined. */
  const ownProof = async (inodes: Inodes, owner: PortOwner): Promise<Proof | 'hidden' | undefined> => {
    const first = lookAt(owner.process.pid, inodes);
    if (first.link !== undefined) return { run: owner.run, link: first.link, inodes };
    const members = await lastValueFrom(scanner.membersOf(owner.service, owner.run, owner.process), {
      defaultValue: [],
    });
    const looks = members.map(({ pid }) => lookAt(pid, inodes));
    const link = looks.find((look) => look.link !== undefined)?.link;
    if (link !== undefined) return { run: owner.run, link, inodes };
    return looks.some(({ hidden }) => hidden) ? 'hidden' : undefined;
  };

  return {
    acceptorOf: async ({ server, client }, owner) => {
      const inode = inodeOfEnd(await table(server), { local: server, remote: client });
      if (inode === '0') return 'pending';
      return inode === undefined ? 'unknown' : acceptorBy(await ownProof(new Set([inode]), owner));
    },
    isShared: async (place) => isSharedBy(inodesAt(listenersOn(await table(place), place.port), place)),
    strangerAt: async (place, owner) => {
      const key = keyOf(place, owner);
      const remembered = proofs.get(key);
      if (remembered?.run === owner.run && isSocketOf(remembered.link, remembered.inodes)) return undefined;
      proofs.delete(key);
      const inodes = inodesAt(listenersOn(await table(place), place.port), place);
      if (inodes.size === 0) return undefined;
      const proof = await ownProof(inodes, owner);
      if (proof === 'hidden') return undefined;
      if (proof === undefined) return takenBy(await holderOf(inodes), place, known);
      proofs.set(key, proof);
      return undefined;
    },
  };
};

/** Returns a function that finds the process that listens at an address or path. */
export const holderAt =
  (dataDir: string) =>
  async (place: ListenPlace): Promise<PortHolder | undefined> => {
    const inodes =
      'path' in place ? inodesAtPath(place.path) : inodesAt(listenersOn(listenTable(), place.port), place);
    const pid = inodes.size === 0 ? undefined : await holderOf(inodes);
    return pid === undefined ? undefined : portHolder(pid, marks(dataDir));
  };

const keyOf = ({ port, address = '' }: LocalPlace, { service }: PortOwner): string =>
  `${service} ${address} ${port}`;

const ANY: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/**
 * Returns the sockets that listen on exactly this address. If there are none, returns the sockets that listen
 * on all addresses of the machine. If `address` is absent, returns all sockets.
 */
const inodesAt = (listeners: readonly Listener[], { address }: LocalPlace): Inodes => {
  const exact = listeners.filter((listener) => listener.address === plainAddress(address ?? ''));
  const wide = listeners.filter((listener) => ANY.has(listener.address));
  const chosen = address === undefined ? listeners : exact.length > 0 ? exact : wide;
  return new Set(chosen.map(({ inode }) => inode));
};

interface Look {
  /**
   * The path, in `/proc`, of a descriptor of the process for one of the listening sockets; absent if it has
   * none.
   */
  readonly link?: string | undefined;
  /** True if the descriptors of the process cannot be read. */
  readonly hidden: boolean;
}

const lookAt = (pid: number, inodes: Inodes): Look => {
  try {
    return { link: socketOf(pid, inodes), hidden: false };
  } catch (error) {
    return { hidden: !isGone(error) };
  }
};

const acceptorBy = (proof: Proof | 'hidden' | undefined): Acceptor => {
  if (proof === undefined) return 'other';
  return proof === 'hidden' ? 'hidden' : 'run';
};

/** True if several sockets accept connections at the address, or the supervisor holds one of them. */
const isSharedBy = (inodes: Inodes): boolean =>
  inodes.size > 1 || lookAt(process.pid, inodes).link !== undefined;

const holderOf = async (inodes: Inodes): Promise<number | undefined> => {
  const pids = processIds();
  for (let at = 0; at < pids.length; at += SLICE) {
    if (at > 0) await setImmediate();
    const found = pids.slice(at, at + SLICE).find((pid) => lookAt(pid, inodes).link !== undefined);
    if (found !== undefined) return found;
  }
  return undefined;
};

const takenBy = (pid: number | undefined, { port }: LocalPlace, known: Marks): PortConflict | undefined =>
  pid === undefined ? undefined : { port, holder: portHolder(pid, known) };

const portHolder = (pid: number, known: Marks): PortHolder => {
  const name = nameOfProcess(pid);
  const stat = statOf(pid);
  const unit = stat && runOfMark(known.markOf(stat) ?? '');
  return { pid, ...(name !== undefined && { name }), ...(unit && { service: unit.service }) };
};
