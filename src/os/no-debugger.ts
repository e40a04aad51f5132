// By default SIGUSR1 opens Node's debugger to everybody on this machine: whoever can connect runs what he likes as this process.

const nothing = (): void => undefined;

interface Inspector {
  readonly url: () => string | undefined;
  readonly close: () => void;
}

const isAskedFor = ({ execArgv, env }: Pick<NodeJS.Process, 'execArgv' | 'env'>): boolean =>
  [...execArgv, env['NODE_OPTIONS'] ?? ''].some((word) => word.includes('--inspect'));

/** One that was opened before anybody could listen to the signal; nothing where Node was told to open it. */
export const closeDebugger = (
  own: Pick<NodeJS.Process, 'execArgv' | 'env'>,
  debugging: Inspector = process.getBuiltinModule('node:inspector'),
): void => {
  if (debugging.url() !== undefined && !isAskedFor(own)) debugging.close();
};

/** For good. What is executed in the place of this program finds the signal as it was. */
export const keepDebuggerClosed = (own: Pick<NodeJS.Process, 'on'>): void => void own.on('SIGUSR1', nothing);
