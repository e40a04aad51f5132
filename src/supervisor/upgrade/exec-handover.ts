// The last turn of a program that hands over to another program: it writes the state that is not in the
// records, keeps descriptors open, and executes the other program. It never returns, except by throwing after
// a failure, which is undone.
// Rules: `docs/behaviour.md`, "Output", "Too few descriptors".
import { openSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import {
  alarmAfter,
  blockSignals,
  clearSignalMask,
  closeAllOnExec,
  execute,
  keepOnExec,
} from '../../os/libc/execute.ts';
import { writeAtOnce } from '../../os/files/own-file.ts';
import { closeDescriptor } from '../../os/own-descriptors.ts';
import type { Libc } from '../../os/libc/libc.ts';
import type { Loop } from '../../streams/kernel/loop.ts';
import { servicesOf } from '../../streams/kernel/service-table.ts';
import { HANDOVER_FORMAT, type UpgradeAsker, type Handover } from '../../streams/upgrade/handover.ts';
import { startsIn } from '../../streams/upgrade/divide-starts.ts';
import { layoutOf } from '../../streams/wire/layout.ts';
import { PROTOCOL } from '../../streams/wire/protocol.ts';
import { storedService } from '../../streams/wire/state-files.ts';
import { recordNow } from '../followers/state-records.ts';
import { ownProgram } from './program.ts';
import { rememberProgram } from './program-copy.ts';
import type { Deps } from '../deps.ts';

/** The facts about this upgrade that the new program must know, and the command lines of both programs. */
export interface Leaving {
  readonly from: string;
  readonly to: string;
  readonly began: number;
  readonly deadline: number;
  readonly asked: UpgradeAsker;
  /** `argv`: the command line of the new program. `old`: the command line that starts this program again. */
  readonly argv: readonly string[];
  readonly old: readonly string[];
  /** Path of the copy of this program, which is executed if the new program fails. */
  readonly copy: string;
  readonly listening: number;
}

/**
 * The signals that would kill the new program before it has handlers for them. They are blocked until then.
 */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR1', 'SIGUSR2', 'SIGPIPE'] as const;
/**
 * The time after the deadline at which SIGALRM kills the process, s. At the deadline, `resume.cjs` executes
 * the old program again. The alarm is for a new program that does not even load `resume.cjs`.
 */
const BEYOND_S = 5;

interface Departure {
  readonly leaving: Leaving;
  readonly held: Handover['events'];
  readonly shown: Handover['shown'];
  readonly libc: Libc;
}

const takenFrom = ({ read }: Loop): Handover['taken'] => {
  const {
    requests,
    gate,
    undeclaredRuns: strays,
    warnings,
    projects,
    manifests,
    tables,
    status,
    metrics,
    ...rest
  } = read();
  const { readings, profiles, scales } = rest;
  const declared = {
    projects,
    manifests,
    tables,
    ...(readings && { readings }),
    ...(profiles && { profiles }),
    ...(scales && { scales }),
    ...(status && { status }),
    ...(metrics && { metrics }),
  };
  return { requests, gate, strays, warnings, ...declared };
};

const handoverOf = (
  deps: Deps,
  { leaving, held, shown, node }: Omit<Departure, 'libc'> & { readonly node: number },
): Handover => {
  const { server, sockets, notify, book, gate, processes, capture, paces, watching, hello, loop } = deps;
  const { clients } = server.handed();
  const { argv: _argv, old, copy: _copy, listening: _, ...about } = leaving;
  return {
    format: HANDOVER_FORMAT,
    ...about,
    since: hello.since,
    protocol: PROTOCOL,
    old: { node, argv: old },
    taken: takenFrom(loop),
    services: servicesOf(loop.read().serviceTable).map(storedService),
    events: held,
    unbegun: startsIn(loop.read(), held, gate.heldUp()).unbegun,
    listening: leaving.listening,
    clients: clients.map((client) => {
      const selection = watching.get(client.id);
      return selection === undefined ? client : { ...client, watching: selection };
    }),
    sockets: sockets.handed(),
    notifySockets: notify.handed(),
    commands: book.handed(),
    exits: processes.ledger.unread(),
    pauses: paces.all(),
    outputs: capture.reading(),
    ...(shown && { shown }),
    surplus: capture.readingEnds(),
  };
};

const kept = ({ old, listening, commands, surplus, ...others }: Handover): readonly number[] => [
  ...[0, 1, 2, old.node, listening, ...surplus],
  ...[...others.clients, ...others.sockets, ...(others.notifySockets ?? [])].map(
    ({ descriptor }) => descriptor,
  ),
  ...commands.flatMap(({ scratch }) => scratch ?? []),
];

/** Hands over in one turn of the event loop, so that no event is missed. Throws if that is impossible. */
export const leave = (deps: Deps, { libc, ...departure }: Departure): never => {
  const { leaving } = departure;
  const file = layoutOf(deps.options.dataDir).handover;
  recordNow(deps.records);
  deps.capture.mend();
  const node = openSync('/proc/self/exe', 'r');
  try {
    const handover = handoverOf(deps, { ...departure, node });
    writeAtOnce(file, JSON.stringify(handover));
    kept(handover).forEach((descriptor) => keepOnExec(libc, descriptor));
    // The new program may fail. Until it has taken over, the guardian restarts the copy of this program.
    rememberProgram(deps.options, { ...ownProgram(), script: leaving.copy });
    blockSignals(
      libc,
      SIGNALS.map((name) => constants.signals[name]),
    );
    alarmAfter(libc, Math.ceil((leaving.deadline - Date.now()) / 1000) + BEYOND_S);
    const environment = deps.options.environment;
    return execute(libc, { argv: [...leaving.argv, `--handover=${file}`], environment });
  } catch (error) {
    rememberProgram(deps.options, ownProgram());
    alarmAfter(libc, 0);
    clearSignalMask(libc);
    closeAllOnExec(libc, 3);
    closeDescriptor(node);
    rmSync(file, { force: true });
    throw error;
  }
};
