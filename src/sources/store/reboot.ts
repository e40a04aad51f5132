// After a reboot no recorded process is alive, and its pid may belong to any process: a process that cannot
// exist replaces it.
import { NO_PROCESS } from '../../streams/domain/service/process.ts';
import type { Service, ServiceState } from '../../streams/domain/service/service.ts';

export const afterReboot = (service: Service): Service => ({ ...service, actual: buried(service.actual) });

const buried = (state: ServiceState): ServiceState => {
  if (state.tag === 'stopping') return { ...state, process: NO_PROCESS, survivors: [], asked: [] };
  return 'process' in state ? { ...state, process: NO_PROCESS } : state;
};
