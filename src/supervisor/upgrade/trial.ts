// Tries a program before it takes over. It runs next to the present one, reads all that it would continue
// from, touches nothing, and says whether it could.
import { spawn } from 'node:child_process';
import { libcOf, openLibc } from '../../os/libc/libc.ts';
import { loadRegistered } from '../../manifest/load.ts';
import { loadSettings } from '../../manifest/settings/load-settings.ts';
import { refuseForeign } from '../../sources/store/directory-claim.ts';
import { peekStore } from '../../sources/store/read-store.ts';
import { HANDOVER_FORMAT } from '../../streams/upgrade/handover.ts';
import { errorDocument } from '../../streams/views/errors/error-text.ts';
import { invalidFor, trialIn, trialRefusal, type Trial } from '../../streams/upgrade/trial-report.ts';
import { layoutOf } from '../../streams/wire/layout.ts';
import type { Place } from '../options.ts';

/** Runs in the program that is tried. Returns what it finds and touches nothing. */
export const trialHere = ({ dataDir, environment, sys }: Place, version: string): Trial => {
  const store = peekStore(dataDir);
  const ports = { environment, uid: process.getuid?.() ?? 0, sys };
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
 * Becomes the program, and leaves a shell that kills it if the supervisor, which alone limits its time, has
 * ended. The shell first checks that the program is still its parent, so a process that reuses the pid is not
 * hit.
 */
const TRYING = `exec 3<&0
{ read -r _; read -r _ _ _ parent _ </proc/self/stat; [ "$parent" != $$ ] || kill -s KILL $$; } <&3 >/dev/null 2>&1 &
exec "$@" </dev/null 3<&-`;

interface Trying {
  readonly argv: readonly string[];
  readonly limit: number;
  /** Paths of the manifests that this program cannot load either. */
  readonly broken: readonly string[];
}

/** Tries a program. Resolves to its answer, or to the reason why it cannot take over. */
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
