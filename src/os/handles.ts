// Descriptors of this process that others have opened: Node tells those of its sockets by a field that it does not document.
import { closeSync } from 'node:fs';

/** Of a socket or a server; `undefined` where there is none any more. */
export const descriptorOfHandle = (owner: object): number | undefined => {
  const handle: unknown = Reflect.get(owner, '_handle');
  const descriptor: unknown =
    typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'fd') : undefined;
  return typeof descriptor === 'number' && descriptor >= 0 ? descriptor : undefined;
};

/** Of what may have been closed already. */
export const closeDescriptor = (descriptor: number): void => {
  try {
    closeSync(descriptor);
  } catch {
    // Then it is closed.
  }
};
