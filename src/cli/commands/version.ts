// `sup version`: prints the version of this program and that of the running supervisor, which may be older.
import { ClientFailure } from '../../client/client-failure.ts';
import type { Context, Handler } from '../context.ts';
import { connectIfRunning } from '../../client/wait-for-supervisor.ts';
import { openLibc } from '../../os/libc/libc.ts';
import { EXIT } from '../../streams/wire/command-exit-status.ts';
import { installationOf } from '../../supervisor/loader/installation.ts';
import { printDocument, printLines } from '../print.ts';
import type { VersionDocument } from '../../streams/wire/documents/machine-documents.ts';

const GREETING_MS = 1_000;

type Running =
  | { readonly tag: 'none' }
  | { readonly tag: 'mute' }
  /** This user has no permission to find out whether a supervisor runs. */
  | { readonly tag: 'closed' }
  | { readonly tag: 'speaks'; readonly version: string };

const lookAt = async ({ dataDir }: Context): Promise<Running> => {
  try {
    const client = await connectIfRunning(dataDir, GREETING_MS, { anyProtocol: true });
    client?.close();
    return client === undefined ? { tag: 'none' } : { tag: 'speaks', version: client.hello.version };
  } catch (thrown) {
    if (!(thrown instanceof ClientFailure)) throw thrown;
    return { tag: thrown.document.code === 'ERR0701' ? 'closed' : 'mute' };
  }
};

const runningLine = (running: Running, own: string): string => {
  if (running.tag === 'none') return 'no supervisor is running';
  if (running.tag === 'mute') return 'the supervisor does not answer';
  if (running.tag === 'closed') return 'this user is not permitted to ask whether a supervisor runs';
  return running.version === own
    ? `supervisor: ${own} (same version)`
    : `supervisor: ${running.version}; sup upgrade replaces it with ${own} and stops no service`;
};

/**
 * True if the supervisor has another version than this program. In this case `--version` also prints a line
 * about it.
 */
const isNews = (running: Running, own: string): boolean =>
  running.tag === 'speaks' && running.version !== own;

/** Returns how this program was installed, its version of Node, and how it calls the C library. */
const foundations = ({ world }: Context): Pick<VersionDocument, 'installation' | 'node' | 'ffi'> => {
  const opened = openLibc();
  return {
    installation: installationOf(world.supervisor),
    node: { version: process.version, path: process.execPath },
    ffi:
      opened.tag === 'open'
        ? { kind: opened.origin.kind, path: opened.origin.path, refused: opened.origin.refused ?? null }
        : { kind: 'none', path: null, refused: opened.detail },
  };
};

export const version: Handler = async ({ flags }, context) => {
  const running = await lookAt(context);
  const { version: own } = context.world;
  if (context.json) {
    const supervisor = running.tag === 'speaks' ? running.version : null;
    printDocument(context, { schema: 'sup.version/1', version: own, supervisor, ...foundations(context) });
    return EXIT.done;
  }
  const isTold = !flags.has('version') || isNews(running, own);
  printLines(context, [`sup ${own}`, ...(isTold ? [runningLine(running, own)] : [])]);
  return EXIT.done;
};
