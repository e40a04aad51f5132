// The parts of the supervisor that commands use to stop services when no supervisor runs.
export { firstEvent, type First } from './first-event.ts';
export { keep, keepLast, type RecordWriters } from './followers/state-records.ts';
export type { RunOptions } from './supervisor-options.ts';
export { adoptOutputs, adoptSockets } from './machine/adopt-descriptors.ts';
export { noPeers } from './callers.ts';
export { nodesProcesses } from './machine/child-processes.ts';
export { loopPorts } from './machine/loop-ports.ts';
