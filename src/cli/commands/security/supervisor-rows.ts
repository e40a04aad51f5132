// The rows of `sup security` about the supervisor itself: files of it that other users can change, and kernel
// settings that protect processes from other processes.
import { landlockAbiHere } from '../../../os/libc/landlock-calls.ts';
import type { Owner } from '../../../os/files/trusted-directories.ts';
import { kernelSetting } from '../../../os/proc/machine-facts.ts';
import type { ServiceSpec } from '../../../streams/domain/declared/spec.ts';
import { listedText } from '../../../streams/domain/listed-text.ts';
import type { SupervisorRow } from '../../../streams/views/security/supervisor-row.ts';
import {
  closingCommand,
  untrusted,
  untrustedPath,
  untrustedScript,
} from '../../../supervisor/loader/program-trust.ts';
import type { Context } from '../../context.ts';
import { dataDirectory } from '../doctor/check-data-directory.ts';
import { judgeNode } from '../doctor/check-programs.ts';
import type { Finding } from '../doctor/finding.ts';
import { WHOLE_LANDLOCK } from '../doctor/privileged-keys.ts';
import { hookPrograms } from './hook-programs.ts';

type Setting = ReturnType<typeof kernelSetting>;

interface SupervisorFacts {
  /** The users that are permitted to change the files of the supervisor, in words for a sentence. */
  readonly owners: string;
  readonly node: Finding;
  /** Sentences about files that other users can change. */
  readonly changeable: Readonly<Record<'node' | 'program' | 'path' | 'hooks', readonly string[]>>;
  readonly hookCount: number;
  /**
   * The finding about the data directory; absent if this user cannot read it, because it is that of root's
   * supervisor.
   */
  readonly dataDirectory?: Finding;
  readonly dataDir: string;
  readonly tiocsti: Setting;
  readonly ptraceScope: Setting;
  /** The kernel's Landlock ABI; 0: the kernel has no Landlock; absent: unknown. */
  readonly landlockAbi?: number | undefined;
}

const FIRST = 2;

type Row = Pick<SupervisorRow, 'id' | 'title'>;

const ok = (row: Row, detail: string): SupervisorRow => ({ ...row, verdict: 'ok', detail });

const unknown = (row: Row, detail: string): SupervisorRow => ({ ...row, verdict: 'unknown', detail });

const open = (row: Row, detail: string, fix?: string): SupervisorRow => ({
  ...{ ...row, verdict: 'open', detail },
  ...(fix !== undefined && { fix }),
});

const trustRow = (row: Row, found: readonly string[], fine: string): SupervisorRow => {
  const [first] = found;
  return first === undefined ? ok(row, fine) : open(row, listedText(found, FIRST), closingCommand(first));
};

const nodeRow = ({ node, changeable, owners }: SupervisorFacts): SupervisorRow => {
  const row = { id: 'node', title: 'Node' };
  return node.level === 'ok'
    ? trustRow(row, changeable.node, `${node.says}; only ${owners} can change it`)
    : open(row, node.says);
};

const dataRow = ({ dataDirectory: finding, dataDir }: SupervisorFacts): SupervisorRow => {
  const row = { id: 'data_directory', title: 'data directory' };
  if (finding === undefined) return unknown(row, `only root can look into ${dataDir}`);
  if (finding.level === 'ok') return ok(row, finding.says);
  return open(row, finding.says, finding.level === 'warning' ? `chmod -R go= ${dataDir}` : undefined);
};

const hooksRow = ({ hookCount, changeable, owners }: SupervisorFacts): SupervisorRow =>
  trustRow(
    { id: 'hooks', title: 'programs of hooks' },
    changeable.hooks,
    hookCount === 0 ? 'no command names a program by its path' : `only ${owners} can change them`,
  );

interface Switch {
  readonly isOff: boolean;
  readonly fine: string;
  readonly off: string;
  /** What the row says if the kernel does not have the setting. */
  readonly absent: string;
  readonly fix: string;
}

const settingRow = (row: Row, value: Setting, says: Switch): SupervisorRow => {
  if (value instanceof Error) return unknown(row, value.message);
  if (value === undefined) return open(row, says.absent);
  return says.isOff ? open(row, says.off, says.fix) : ok(row, says.fine);
};

const tiocstiRow = ({ tiocsti }: SupervisorFacts): SupervisorRow =>
  settingRow({ id: 'tiocsti', title: 'input of terminals' }, tiocsti, {
    isOff: tiocsti !== 0,
    fine: 'a program cannot type into its terminal (TIOCSTI)',
    off: 'a program can type into its terminal (TIOCSTI)',
    absent: 'a program can type into its terminal (TIOCSTI); from Linux 6.2 on that can be forbidden',
    fix: 'sysctl -w dev.tty.legacy_tiocsti=0',
  });

const yamaRow = ({ ptraceScope }: SupervisorFacts): SupervisorRow =>
  settingRow({ id: 'yama', title: 'tracing (Yama)' }, ptraceScope, {
    isOff: ptraceScope === 0,
    fine: 'a program cannot trace any process of its user',
    off: 'a program can trace every other process of its user',
    absent: 'a program can trace every other process of its user: this kernel has no Yama',
    fix: 'sysctl -w kernel.yama.ptrace_scope=1',
  });

const landlockRow = ({ landlockAbi: abi }: SupervisorFacts): SupervisorRow => {
  const row = { id: 'landlock_abi', title: 'Landlock' };
  if (abi === undefined) return unknown(row, 'the C library cannot be called: sup doctor');
  if (abi === 0) return open(row, 'this kernel has no Landlock, or it is not switched on');
  return abi < WHOLE_LANDLOCK
    ? open(row, `ABI ${abi} restricts less than ABI ${WHOLE_LANDLOCK} (Linux 6.12)`)
    : ok(row, `ABI ${abi}`);
};

/** Returns the rows for these facts. It is a pure function. */
export const judgeSupervisor = (facts: SupervisorFacts): readonly SupervisorRow[] => {
  const { changeable, owners } = facts;
  const fine = `only ${owners} can change them`;
  return [
    trustRow({ id: 'program', title: 'files of sup' }, changeable.program, fine),
    nodeRow(facts),
    trustRow({ id: 'path', title: 'directories of PATH' }, changeable.path, fine),
    dataRow(facts),
    hooksRow(facts),
    tiocstiRow(facts),
    yamaRow(facts),
    landlockRow(facts),
  ];
};

/** The services, and the environment in which the supervisor searches for programs. */
interface Supervised {
  readonly specs: readonly ServiceSpec[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const ROOT = 0;

const lookAtData = async (context: Context): Promise<Finding | undefined> => {
  if (context.sys && context.world.uid !== ROOT) return undefined;
  const [finding] = await dataDirectory.run(context);
  return finding;
};

const look = async (context: Context, { specs, environment }: Supervised): Promise<SupervisorFacts> => {
  const { sys, dataDir, world } = context;
  const own: Owner | undefined = sys ? undefined : { uid: world.uid, gid: process.getgid?.() ?? ROOT };
  const hooks = hookPrograms(specs);
  const finding = await lookAtData(context);
  return {
    owners: own === undefined || own.uid === ROOT ? 'root' : `root and user ${own.uid}`,
    node: judgeNode(process.version, process.execPath),
    changeable: {
      node: untrusted([process.execPath], own),
      program: untrustedScript(world.supervisor, own),
      path: untrustedPath(environment['PATH'] ?? '', own),
      hooks: untrusted(hooks, own),
    },
    hookCount: hooks.length,
    ...(finding !== undefined && { dataDirectory: finding }),
    dataDir,
    tiocsti: kernelSetting('dev/tty/legacy_tiocsti'),
    ptraceScope: kernelSetting('kernel/yama/ptrace_scope'),
    landlockAbi: landlockAbiHere(),
  };
};

/** Resolves to the rows about the supervisor that would run these services. Changes nothing. */
export const supervisorRows = async (
  context: Context,
  supervised: Supervised,
): Promise<readonly SupervisorRow[]> => judgeSupervisor(await look(context, supervised));
