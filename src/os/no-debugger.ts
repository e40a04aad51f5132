// By default SIGUSR1 opens Node's debugger to everybody on this machine: whoever can connect runs what he likes as this process.

const nothing = (): void => undefined;

/** For good. What is executed in the place of this program finds the signal as it was. */
export const keepDebuggerClosed = (own: Pick<NodeJS.Process, 'on'>): void => void own.on('SIGUSR1', nothing);
