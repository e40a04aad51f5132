// What lies beneath the streams of this process, which Node tells by fields that it does not document.
import { closeSync } from 'node:fs';

const ofHandle = (owner: object, name: string): unknown => {
  const handle: unknown = Reflect.get(owner, '_handle');
  return typeof handle === 'object' && handle !== null ? Reflect.get(handle, name) : undefined;
};

/** The descriptor of a socket or a server; `undefined` where there is none any more. */
export const descriptorOfHandle = (owner: object): number | undefined => {
  const descriptor = ofHandle(owner, 'fd');
  return typeof descriptor === 'number' && descriptor >= 0 ? descriptor : undefined;
};

/** How many bytes a stream has begun to write and the kernel has not taken yet. */
export const queuedBytes = (owner: object): number => {
  const queued = ofHandle(owner, 'writeQueueSize');
  return typeof queued === 'number' ? queued : 0;
};

/** Of what may have been closed already. */
export const closeDescriptor = (descriptor: number): void => {
  try {
    closeSync(descriptor);
  } catch {
    // Then it is closed.
  }
};
