// By default SIGUSR1 opens Node's debugger to everybody on this machine: whoever can connect runs what he likes as this process.

const nothing = (): void => undefined;

interface Inspector {
  readonly url: () => string | undefined;
}

/** A Node that is built without one has none. */
const inspector = (): Inspector | undefined => process.getBuiltinModule('node:inspector');

const isAskedFor = ({ execArgv, env }: Pick<NodeJS.Process, 'execArgv' | 'env'>): boolean =>
  [...execArgv, env['NODE_OPTIONS'] ?? ''].some((word) => word.includes('--inspect'));

/**
 * Throws where it was opened before anybody could listen to the signal, and Node was not told to open it. Closing it would
 * wait for whoever is connected; the same program anew in this process has none.
 */
export const refuseDebugger = (
  own: Pick<NodeJS.Process, 'execArgv' | 'env'>,
  debugging: Inspector | undefined = inspector(),
): void => {
  if (debugging?.url() !== undefined && !isAskedFor(own))
    throw new Error('SIGUSR1 opened the debugger of Node before anybody could refuse it');
};

/** For good. What is executed in the place of this program finds the signal as it was. */
export const keepDebuggerClosed = (own: Pick<NodeJS.Process, 'on'>): void => void own.on('SIGUSR1', nothing);
