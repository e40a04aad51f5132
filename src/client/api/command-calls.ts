// The commands of the library that the supervisor carries out. They resolve when that is done.
import { resolve } from 'node:path';
import type { Command, Done } from '../../streams/domain/command.ts';
import { doneDocument, planDocument } from '../../streams/views/done-document.ts';
import type { DoneDocument } from '../../streams/wire/documents/command-documents.ts';
import { countsOf, givenSelection, optionsOf, selected, textOf } from './checked-input.ts';
import type { Patience, Sup } from './sup-interface.ts';

export type Send = (command: Command, patience?: Patience) => Promise<Done>;

type CommandName =
  'start' | 'stop' | 'restart' | 'apply' | 'rollback' | 'scale' | 'forget' | 'shutdown' | 'plan' | 'called';

/** Returns the commands. `send`: has the supervisor carry one out. */
export const commandsOn = (send: Send): Pick<Sup, CommandName> => {
  const done = async (command: Command, patience?: Patience): Promise<DoneDocument> =>
    doneDocument(command.type, await send(command, optionsOf(patience, 'timeoutMs')));
  return {
    start: async (selection, options) => {
      const { profiles, files, ...patience } = optionsOf(options, 'profiles', 'files', 'timeoutMs');
      const reading = {
        ...(profiles && { profiles }),
        ...(files && { files: files.map((file) => resolve(file)) }),
      };
      return done({ type: 'start', selection: selected(selection), reading }, patience);
    },
    stop: async (selection, patience) => done({ type: 'stop', selection: selected(selection) }, patience),
    restart: async (selection, options) => {
      const { withDependents = false, ...patience } = optionsOf(options, 'withDependents', 'timeoutMs');
      const scope = withDependents ? { withDependents } : {};
      return done({ type: 'restart', selection: selected(selection), ...scope }, patience);
    },
    apply: async (selection, patience) => done({ type: 'apply', selection: selected(selection) }, patience),
    rollback: async (selection, patience) =>
      done({ type: 'rollback', selection: givenSelection(selection) }, patience),
    scale: async (counts, patience) => done({ type: 'scale', counts: countsOf(counts) }, patience),
    forget: async (manifest, patience) =>
      done({ type: 'forget', manifest: resolve(textOf(manifest, 'manifest')) }, patience),
    called: async (call, times = 1) => {
      await send({ type: 'called', call, times });
    },
    shutdown: async (patience) => done({ type: 'shutdown' }, patience),
    plan: async (selection, patience) => {
      const command = { type: 'plan', selection: selected(selection) } as const;
      const { plan, warnings } = await send(command, optionsOf(patience, 'timeoutMs'));
      return planDocument(plan ?? { changes: [] }, warnings);
    },
  };
};
