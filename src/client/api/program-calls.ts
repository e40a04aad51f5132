// The calls of the library that run the program `sup` as a separate process. `kill`, `reload` and `exec` send
// signals, or run commands as another user and with other limits. This must not affect the process of the
// caller.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { ms } from '../../streams/domain/time.ts';
import { fieldsIn } from '../../streams/wire/params/checked-fields.ts';
import type { AnyDocument } from '../../streams/wire/documents/any-document.ts';
import type { ErrorReport } from '../../streams/wire/documents/basic-documents.ts';
import { ClientFailure, failedWith, rethrown } from '../client-failure.ts';
import { type ReadPlace, whichManifest } from '../manifests/manifest-paths.ts';
import { givenSelection, optionsOf, pathHere, textOf } from './checked-input.ts';
import { manifestWords, optionWord, selectionWords } from './command-words.ts';
import type { Executed, Patience, Sup } from './sup-interface.ts';

/** Maximum size of the output of the program, bytes. */
const MAX_OUTPUT = 64 * 1024 * 1024;

interface Program {
  readonly place: ReadPlace;
  /** Path of the program; by default `sup.js` in the directory of this library. */
  readonly path?: string | undefined;
}

type Run = (words: readonly string[], patience?: Patience) => Promise<Executed>;

/**
 * Returns a function that runs the program. After `timeoutMs` that function kills the program and rejects
 * with ERR0111.
 */
const runOf =
  ({ place: { dataDir, sys, world }, path }: Program): Run =>
  ([command = '', ...words], { timeoutMs = 0 } = {}) =>
    new Promise((settle, reject) => {
      const file = path ?? join(import.meta.dirname, 'sup.js');
      const args = [file, command, '--json', ...(sys ? ['--sys'] : []), ...words];
      // `sup` looks up a bare name first in the manifest of its working directory. The directory is `/`,
      // which has no manifest.
      const options = {
        cwd: '/',
        env: { ...world.environment, SUP_DATA_DIR: dataDir },
        maxBuffer: MAX_OUTPUT,
      };
      const child = execFile(process.execPath, args, options, (error, stdout, stderr) => {
        clearTimeout(timer);
        const status = error === null ? 0 : error.code;
        if (typeof status === 'number') settle({ status, stdout, stderr });
        else reject(failedWith({ code: 'ERR0001', detail: `${file}: ${error?.message ?? ''}` }));
      });
      child.stdin?.end();
      const late = (): void => {
        child.kill();
        reject(failedWith({ code: 'ERR0111', command, waited: ms(timeoutMs) }));
      };
      const timer = timeoutMs > 0 && timeoutMs < 2 ** 31 ? setTimeout(late, timeoutMs) : undefined;
    });

const isReport = (fields: object | undefined): fields is ErrorReport =>
  fields !== undefined && 'schema' in fields && fields.schema === 'sup.error/1';

/** Throws the error in the text, if the text is an error report of `sup` (one line of JSON). */
const throwReport = (text: string): void => {
  const report = fieldsIn(text);
  if (isReport(report)) throw new ClientFailure(report.error, undefined, report.warnings);
};

/** Returns the document that the program printed. If the program printed an error, throws this error. */
const printed = <D extends AnyDocument>(ran: Executed, schema: D['schema']): D => {
  const fields = fieldsIn(ran.stdout);
  // The error is the last line. A command that `sup` ran, such as that of `reload`, may have printed lines
  // before.
  if (ran.stdout === '') throwReport(ran.stderr.trimEnd().split('\n').at(-1) ?? '');
  if (fields?.['schema'] !== schema) throw failedWith({ code: 'ERR0001', detail: ran.stderr });
  // The program and the library are of the same build, so a document of this schema has this type.
  return fields as unknown as D;
};

/** Returns the calls that run the program `sup`. */
export const programCallsOn = (program: Program): Pick<Sup, 'kill' | 'reload' | 'exec' | 'validate'> => {
  const run = runOf(program);
  return {
    kill: async (selection, options) => {
      const { signal, ...patience } = optionsOf(options, 'signal', 'timeoutMs');
      const words = [...optionWord('signal', signal), ...selectionWords(givenSelection(selection))];
      return printed(await run(['kill', ...words], patience), 'sup.done/1');
    },
    reload: async (selection, options) => {
      const words = selectionWords(givenSelection(selection));
      return printed(await run(['reload', ...words], optionsOf(options, 'timeoutMs')), 'sup.done/1');
    },
    exec: async (service, command, options) => {
      const { unconfined = false, ...patience } = optionsOf(options, 'unconfined', 'timeoutMs');
      const names = selectionWords({ services: [textOf(service, 'service')] });
      const argv = command.map((word, at) => textOf(word, `command.${at}`));
      const ran = await run(
        ['exec', ...(unconfined ? ['--unconfined'] : []), ...names, '--', ...argv],
        patience,
      );
      if (ran.stdout === '') throwReport(ran.stderr);
      return ran;
    },
    validate: async (options) => {
      const reading = optionsOf(options, 'manifest', 'profiles', 'files');
      try {
        // The started `sup` runs in `/` and would not find the default manifest of the caller's directory.
        // So its path is always passed.
        const { directory } = program.place.world;
        const manifest = whichManifest({ config: reading.manifest, directory });
        const words = manifestWords({ ...reading, manifest }, pathHere);
        return printed(await run(['validate', ...words]), 'sup.problems/1');
      } catch (thrown) {
        throw rethrown(thrown);
      }
    },
  };
};
