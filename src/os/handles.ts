// The handles of this process's streams, read from fields that Node does not document.
import { closeSync } from 'node:fs';

const ofHandle = (owner: object, name: string): unknown => {
  const handle: unknown = Reflect.get(owner, '_handle');
  return typeof handle === 'object' && handle !== null ? Reflect.get(handle, name) : undefined;
};

/** The descriptor of a socket or a server; `undefined` if it has none any more. */
export const descriptorOfHandle = (owner: object): number | undefined => {
  const descriptor = ofHandle(owner, 'fd');
  return typeof descriptor === 'number' && descriptor >= 0 ? descriptor : undefined;
};

/** Bytes that a stream has begun to write and the kernel has not taken yet. */
export const queuedBytes = (owner: object): number => {
  const queued = ofHandle(owner, 'writeQueueSize');
  return typeof queued === 'number' ? queued : 0;
};

/** Closes a descriptor that may be closed already. */
export const closeDescriptor = (descriptor: number): void => {
  try {
    closeSync(descriptor);
  } catch {
    // It is closed already.
  }
};
