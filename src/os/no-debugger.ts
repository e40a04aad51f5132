// By default SIGUSR1 opens Node's debugger to every user of this machine: any client that connects runs code
// as this process.
// Rules: `docs/behaviour.md`, "One supervisor".

const nothing = (): void => undefined;

interface Inspector {
  readonly url: () => string | undefined;
}

/** `undefined` if Node is built without the inspector. */
const inspector = (): Inspector | undefined => process.getBuiltinModule('node:inspector');

const isAskedFor = ({ execArgv, env }: Pick<NodeJS.Process, 'execArgv' | 'env'>): boolean =>
  [...execArgv, env['NODE_OPTIONS'] ?? ''].some((word) => word.includes('--inspect'));

/**
 * Throws if SIGUSR1 opened the debugger before a listener was set and Node was not started to be inspected.
 * Closing it would wait for connected clients; executing the program again in this process does not.
 */
export const refuseDebugger = (
  own: Pick<NodeJS.Process, 'execArgv' | 'env'>,
  debugging: Inspector | undefined = inspector(),
): void => {
  if (debugging?.url() !== undefined && !isAskedFor(own))
    throw new Error('SIGUSR1 opened the debugger of Node before anybody could refuse it');
};

/** Ignores SIGUSR1 for good. A program that this process executes finds the default action again. */
export const keepDebuggerClosed = (own: Pick<NodeJS.Process, 'on'>): void => void own.on('SIGUSR1', nothing);
