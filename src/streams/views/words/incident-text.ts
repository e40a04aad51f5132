// Incidents: what happened to a service without changing its state, in a few words.
import { exitText, isSuccess } from '../../domain/service/exit.ts';
import type { Act, Incident } from '../../domain/service/incident.ts';
import type { Service } from '../../domain/service/service.ts';
import { failingText, recoveredText } from './health-text.ts';

/** `SIGHUP, sent by sup kill`; `its reload command exited with 1`. */
export const actText = (act: Act): string => {
  if (act.tag === 'signal') return `${act.signal}, sent by sup ${act.by}`;
  return isSuccess(act.status)
    ? 'its reload command succeeded'
    : `its reload command ${exitText(act.status)}`;
};

/** What happened to a service without changing its state, in words. */
export const incidentText = ({ at, facts }: Incident, service: Pick<Service, 'spec'>): string => {
  if ('act' in facts) return actText(facts.act);
  const { health, streak } = facts;
  if (health === 'healthy') return recoveredText(streak, at);
  return failingText(streak, service) ?? 'its health check fails';
};
