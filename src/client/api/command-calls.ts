// The commands of the library, which resolve when they are carried out.
import { resolve } from 'node:path';
import type { Command, Done, Selection } from '../../streams/domain/command.ts';
import { doneDocument, planDocument } from '../../streams/views/done-document.ts';
import type { DoneDocument } from '../../streams/wire/documents/command-documents.ts';
import type { Patience, Sup } from './sup-interface.ts';

/** Makes the path of a manifest absolute, as the supervisor needs it. */
export const selected = ({ manifest, ...rest }: Selection): Selection => ({
  ...rest,
  ...(manifest !== undefined && { manifest: resolve(manifest) }),
});

export type Send = (command: Command, patience?: Patience) => Promise<Done>;

/** Returns the commands. `send`: has the supervisor carry one out. */
export const commandsOn = (send: Send): Pick<Sup, CommandName> => {
  const done = async (command: Command, patience?: Patience): Promise<DoneDocument> =>
    doneDocument(command.type, await send(command, patience));
  return {
    start: (selection = {}, { profiles, files, ...patience } = {}) => {
      const reading = {
        ...(profiles && { profiles }),
        ...(files && { files: files.map((file) => resolve(file)) }),
      };
      return done({ type: 'start', selection: selected(selection), reading }, patience);
    },
    stop: (selection = {}, patience) => done({ type: 'stop', selection: selected(selection) }, patience),
    restart: (selection = {}, { withDependents = false, ...patience } = {}) =>
      done(
        { type: 'restart', selection: selected(selection), ...(withDependents && { withDependents }) },
        patience,
      ),
    apply: (selection = {}, patience) => done({ type: 'apply', selection: selected(selection) }, patience),
    rollback: (selection, patience) => done({ type: 'rollback', selection: selected(selection) }, patience),
    scale: (counts, patience) => {
      const written = Object.entries(counts).map(([service, replicas]) => ({ service, replicas }));
      return done({ type: 'scale', counts: written }, patience);
    },
    forget: (manifest, patience) => done({ type: 'forget', manifest: resolve(manifest) }, patience),
    called: async (call, times = 1) => {
      await send({ type: 'called', call, times });
    },
    shutdown: (patience) => done({ type: 'shutdown' }, patience),
    plan: async (selection = {}, patience) => {
      const { plan, warnings } = await send({ type: 'plan', selection: selected(selection) }, patience);
      return planDocument(plan ?? { changes: [] }, warnings);
    },
  };
};

type CommandName =
  'start' | 'stop' | 'restart' | 'apply' | 'rollback' | 'scale' | 'forget' | 'shutdown' | 'plan' | 'called';
