// Finds the descriptor of a stream or server of this process, and closes descriptors.
import { closeSync } from 'node:fs';

const ofHandle = (owner: object, name: string): unknown => {
  const handle: unknown = Reflect.get(owner, '_handle');
  return typeof handle === 'object' && handle !== null ? Reflect.get(handle, name) : undefined;
};

/** Returns the descriptor of a socket or server; `undefined` if it is closed. */
export const descriptorOfHandle = (owner: object): number | undefined => {
  const descriptor = ofHandle(owner, 'fd');
  return typeof descriptor === 'number' && descriptor >= 0 ? descriptor : undefined;
};

/** Returns how many bytes of a stream are queued in libuv, because the kernel has not accepted them yet. */
export const queuedBytes = (owner: object): number => {
  const queued = ofHandle(owner, 'writeQueueSize');
  return typeof queued === 'number' ? queued : 0;
};

/** Closes a descriptor; does nothing if it is already closed. */
export const closeDescriptor = (descriptor: number): void => {
  try {
    closeSync(descriptor);
  } catch {
    // The descriptor is already closed.
  }
};
