// The commands that the library sends to the supervisor. Each promise resolves when the supervisor has
// carried out the command.
import type { Command, Done } from '../../streams/domain/command.ts';
import { doneDocument, planDocument } from '../../streams/views/done-document.ts';
import { maskedPlan } from '../../streams/views/words/masked-text.ts';
import type { DoneDocument } from '../../streams/wire/documents/command-documents.ts';
import {
  type AbsolutePath,
  countsOf,
  givenSelection,
  optionsOf,
  pathHere,
  selected,
  textOf,
} from './checked-input.ts';
import type { Patience, Sup } from './sup-interface.ts';

export type Send = (command: Command, patience?: Patience) => Promise<Done>;

type CommandName =
  'start' | 'stop' | 'restart' | 'apply' | 'rollback' | 'scale' | 'forget' | 'shutdown' | 'plan' | 'called';

type Carry = (command: Command, patience?: Patience) => Promise<DoneDocument>;

/** Returns the commands that accept limits. `done` sends a command and resolves when it is carried out. */
const limitedOn = (done: Carry, absolute: AbsolutePath): Pick<Sup, 'start' | 'restart' | 'apply'> => ({
  start: async (selection, options) => {
    const given = optionsOf(options, 'profiles', 'files', 'within', 'timeoutMs');
    const { profiles, files, within, ...patience } = given;
    const limits = within && { within };
    const reading = {
      ...(profiles && { profiles }),
      ...(files && { files: files.map((file, at) => absolute(file, `options.files.${at}`)) }),
    };
    return done({ type: 'start', selection: selected(selection, absolute), reading, ...limits }, patience);
  },
  restart: async (selection, options) => {
    const given = optionsOf(options, 'withDependents', 'within', 'timeoutMs');
    const { withDependents = false, within, ...patience } = given;
    const scope = { ...(withDependents && { withDependents }), ...(within && { within }) };
    return done({ type: 'restart', selection: selected(selection, absolute), ...scope }, patience);
  },
  apply: async (selection, options) => {
    const { within, ...patience } = optionsOf(options, 'within', 'timeoutMs');
    return done(
      { type: 'apply', selection: selected(selection, absolute), ...(within && { within }) },
      patience,
    );
  },
});

/** Returns the commands. `send` sends a command to the supervisor; `absolute` makes paths absolute. */
export const commandsOn = (send: Send, absolute: AbsolutePath = pathHere): Pick<Sup, CommandName> => {
  const done: Carry = async (command, patience) =>
    doneDocument(command.type, await send(command, optionsOf(patience, 'timeoutMs')));
  return {
    ...limitedOn(done, absolute),
    stop: async (selection, patience) =>
      done({ type: 'stop', selection: selected(selection, absolute) }, patience),
    rollback: async (selection, patience) =>
      done({ type: 'rollback', selection: givenSelection(selection, absolute) }, patience),
    scale: async (counts, patience) => done({ type: 'scale', counts: countsOf(counts) }, patience),
    forget: async (manifest, patience) =>
      done({ type: 'forget', manifest: absolute(textOf(manifest, 'manifest'), 'manifest') }, patience),
    called: async (call, times = 1) => {
      await send({ type: 'called', call, times });
    },
    shutdown: async (patience) => done({ type: 'shutdown' }, patience),
    plan: async (selection, options) => {
      const { showValues = false, ...patience } = optionsOf(options, 'showValues', 'timeoutMs');
      const command = { type: 'plan', selection: selected(selection, absolute) } as const;
      const { plan = { changes: [] }, warnings } = await send(command, patience);
      return planDocument(showValues ? plan : maskedPlan(plan), warnings);
    },
  };
};
