// Services that are not wanted and have nothing running.
import type { Service, ServiceState } from '../../domain/service/service.ts';

/** Not wanted now and not resumed later. */
export const unwanted = (service: Service, actual: ServiceState): Service => ({
  ...service,
  wanted: 'down',
  resume: false,
  actual,
});

const AT_REST: ServiceState = { tag: 'down', why: { tag: 'asked' } };

/** The service at rest: no run, no rollout, no children. */
export const atRest = ({ rollout: _, children: __, ...service }: Service): Service =>
  unwanted(service, AT_REST);
