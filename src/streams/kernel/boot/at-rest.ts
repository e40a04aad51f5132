// Services that nobody wants and of which nothing moves.
import type { Service, ServiceState } from '../../domain/service/service.ts';

/** In this state, without a way back by itself. */
export const unwanted = (service: Service, actual: ServiceState): Service => ({
  ...service,
  wanted: 'down',
  resume: false,
  actual,
});

const AT_REST: ServiceState = { tag: 'down', why: { tag: 'asked' } };

/** None of its runs moves, neither of a rollout. */
export const atRest = ({ rollout: _, children: __, ...service }: Service): Service =>
  unwanted(service, AT_REST);
