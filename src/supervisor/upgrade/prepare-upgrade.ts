// Prepares an upgrade without changing anything: reads the manifests, tries the new program and copies the
// old program. In the trial, the new program reads all files that it would continue from, and reports whether
// it could take over.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { loadRegistered } from '../../manifest/load.ts';
import { loadSettings } from '../../manifest/settings/load-settings.ts';
import { libcOf, openLibc } from '../../os/libc/libc.ts';
import { refuseForeign } from '../../sources/store/data-directory.ts';
import { peekStore } from '../../sources/store/read-saved-state.ts';
import type { SupError } from '../../streams/domain/errors/error.ts';
import { HANDOVER_FORMAT } from '../../streams/upgrade/handover.ts';
import { errorDocument } from '../../streams/views/errors/error-text.ts';
import { layoutOf } from '../../streams/wire/layout.ts';
import type { UpgradeOrder } from '../../streams/wire/protocol.ts';
import { guardianWords } from '../guardian-report.ts';
import { mendProgram, untrustedProgram, worseThan } from '../loader/program-trust.ts';
import type { RunOptions } from '../supervisor-options.ts';
import type { Leaving } from './exec-handover.ts';
import { argvOf, ownProgram, type Program } from './program.ts';
import { refuse, UpgradeRefused } from './upgrade-refused.ts';
import type { Deps } from '../deps.ts';
import { type Trial, invalidFor, trialIn, trialRefusal } from '../../streams/upgrade/trial-report.ts';
import { type BrokenManifest, brokenManifests } from '../../streams/upgrade/upgrade-refusal.ts';

/** Returns the result of the trial of this program, with the problems that prevent a takeover. */
export const trialHere = ({ dataDir, environment, sys }: RunOptions, version: string): Trial => {
  const store = peekStore(dataDir);
  const { readings = {} } = store;
  const ports = { environment, uid: process.getuid?.() ?? 0, sys, readings };
  loadSettings(layoutOf(dataDir).settings, environment);
  const broken = store.manifests.filter((path) =>
    loadRegistered(path, ports).problems.some(({ severity }) => severity === 'error'),
  );
  const foreign = refuseForeign(dataDir);
  const problems = [
    ...(foreign === undefined ? [] : [errorDocument(foreign).message]),
    ...store.warnings,
    ...broken.map((path) => invalidFor(version, path)),
    ...(libcOf(openLibc()) === undefined ? ['it cannot call the C library'] : []),
  ];
  return { trial: 1, version, handover: HANDOVER_FORMAT, begins: true, problems };
};

const MOST_OUTPUT = 64 * 1024;

/**
 * A shell script that tries the new program. The shell becomes the program (`exec`), so the program has the
 * pid of the shell. The supervisor limits the time of the trial. If the supervisor ends first, a second shell
 * in the background kills the program, after checking that the program is still the parent of this shell.
 */
const TRYING = `exec 3<&0
{ read -r _; read -r _ _ _ parent _ </proc/self/stat; [ "$parent" != $$ ] || kill -s KILL $$; } <&3 >/dev/null 2>&1 &
exec "$@" </dev/null 3<&-`;

interface Trying {
  readonly argv: readonly string[];
  readonly limit: number;
  /**
   * The manifests that the running program cannot load. It is no problem if the new program cannot load them
   * either.
   */
  readonly broken: readonly string[];
}

/** Runs a trial of a program. Resolves to the program's answer, or to the reason why it cannot take over. */
export const tried = ({
  argv,
  limit,
  broken,
}: Trying): Promise<{ readonly trial: Trial } | { readonly refusal: string }> =>
  new Promise((settle) => {
    const child = spawn('/bin/sh', ['-c', TRYING, 'sup-trial', ...argv], { cwd: '/', stdio: 'pipe' });
    const said = { out: '', err: '' };
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill('SIGKILL');
    }, limit);
    child.stdout.on(
      'data',
      (text: Buffer) => (said.out = `${said.out}${text.toString()}`.slice(0, MOST_OUTPUT)),
    );
    child.stderr.on(
      'data',
      (text: Buffer) => (said.err = `${said.err}${text.toString()}`.slice(-MOST_OUTPUT)),
    );
    const end = (how: string): void => {
      clearTimeout(timer);
      const trial = trialIn(said.out);
      const refusal = trialRefusal(trial, {
        how: late ? `did not answer within ${limit} ms` : how,
        said: said.err,
        broken,
      });
      settle(refusal === undefined && trial !== undefined ? { trial } : { refusal: refusal ?? how });
    };
    child.once('error', (error) => end(`cannot be started: ${error.message}`));
    child.once('close', (code, signal) =>
      end(signal === null ? `ended with status ${code ?? 0}` : `ended by ${signal}`),
    );
  });

/** Time limit of the trial, ms. The rest of the time of an upgrade (`LIMIT_MS`) is for the handover. */
const TRIAL_MS = 10_000;

/** A requested upgrade: the program, the client that requested it, and the deadline. */
export interface UpgradeRequest extends UpgradeOrder {
  readonly client: string;
  readonly id: number;
  readonly began: number;
  readonly deadline: number;
  /**
   * The registered manifests that this program cannot load. It is no problem if the new program cannot load
   * them either.
   */
  readonly broken: readonly BrokenManifest[];
}

/** A prepared upgrade: the new program was tried, and the old one is copied. */
export interface Ready {
  readonly leaving: Omit<Leaving, 'listening'>;
  /**
   * True if the new program can start the processes that wait in the queue of starts (`StartGate`) of the old
   * program.
   */
  readonly begins: boolean;
}

/** Returns the registered manifests that cannot be loaded. */
export const readManifests = ({ options, loop }: Deps): readonly BrokenManifest[] => {
  const { environment, sys } = options;
  const { manifests, readings = {} } = loop.read();
  const ports = { environment, sys, uid: process.getuid?.() ?? 0, readings };
  return brokenManifests(Object.keys(manifests).map((path) => loadRegistered(path, ports)));
};

/**
 * Returns the reason if more users can change the new program than this program. It is checked before the
 * trial, which executes the new program.
 */
const worseRefusal = (next: Program): SupError | undefined => {
  const [first] = worseThan(untrustedProgram(ownProgram()), untrustedProgram(next));
  return first === undefined
    ? undefined
    : {
        code: 'ERR0501',
        detail: `another user can change the new program, and not the one that runs: ${first}; ${mendProgram(next.script)}`,
      };
};

/** Tries the new program and copies the old one. Throws the reason if the new program cannot take over. */
export const prepared = async (deps: Deps, order: UpgradeRequest): Promise<Ready> => {
  const { client, id, began, deadline, broken } = order;
  const next = { node: order.node, script: order.program };
  if (deps.options.sys) refuse(worseRefusal(next));
  const answer = await tried({
    argv: argvOf(next, { more: ['--trial'] }),
    limit: TRIAL_MS,
    broken: broken.map(({ path }) => path),
  });
  if ('refusal' in answer)
    throw new UpgradeRefused({ code: 'ERR0502', detail: `${order.program}: ${answer.refusal}` });
  const script = deps.kept();
  const resume = `--require=${join(dirname(script), 'resume.cjs')}`;
  const { version: to, begins } = answer.trial;
  const more = guardianWords(deps.options.guarded);
  const leaving = {
    from: deps.options.version,
    copy: script,
    to,
    began,
    deadline,
    asked: { client, id, warnings: broken.map(({ warning }) => warning) },
    argv: argvOf(next, { node: [resume], more }),
    old: argvOf({ ...ownProgram(), script }, { more }),
  };
  return { leaving, begins };
};
