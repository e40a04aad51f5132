// What the commands use of the supervisor: the parts of a stop without a supervisor.
export { firstEvent, type First } from './first-event.ts';
export { keep, keepLast, type KeepPorts } from './followers/records.ts';
export type { Place } from './options.ts';
export { adoptSockets } from './world/adopt-sockets.ts';
export { adoptOutputs } from './world/outputs.ts';
export { nobodyAsks } from './world/peers.ts';
export { nodesProcesses } from './world/processes.ts';
export { surroundings } from './world/surroundings.ts';
