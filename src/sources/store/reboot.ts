// After another boot no recorded process is alive, and a pid on record may be anybody's: its place is taken by a process
// that cannot exist.
import { NO_PROCESS } from '../../streams/domain/service/process.ts';
import type { Service, ServiceState } from '../../streams/domain/service/service.ts';

export const afterReboot = (service: Service): Service => ({ ...service, actual: buried(service.actual) });

const buried = (state: ServiceState): ServiceState => {
  if (state.tag === 'stopping') return { ...state, process: NO_PROCESS, survivors: [], asked: [] };
  return 'process' in state ? { ...state, process: NO_PROCESS } : state;
};
