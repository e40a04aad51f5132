// Suggests command lines for a service. Service names need no quotes, because they contain no spaces.
import { projectId, serviceId, shownId } from '../../domain/ids.ts';
import type { InspectedService, StateWord } from '../../wire/documents/documents.ts';
import type { WhyAction } from '../../wire/documents/why-document.ts';

type Act = (name: string) => WhyAction;

const logs: Act = (name) => ({ command: `sup logs ${name} -n 50`, meaning: 'what it printed last' });
const inspect: Act = (name) => ({
  command: `sup inspect ${name}`,
  meaning: 'its states and what led to them',
});
const events: Act = (name) => ({ command: `sup events ${name} --since 1h`, meaning: 'what happened to it' });
const start =
  (meaning: string): Act =>
  (name) => ({ command: `sup start ${name}`, meaning });
const restart =
  (meaning: string): Act =>
  (name) => ({ command: `sup restart ${name}`, meaning });
const apply: Act = (name) => ({ command: `sup apply ${name}`, meaning: 'applies what has changed' });
const rollback: Act = (name) => ({
  command: `sup rollback ${name}`,
  meaning: 'keeps the declaration that runs',
});
const applyAgain: Act = (name) => ({
  command: `sup apply ${name}`,
  meaning: 'tries the new declaration again',
});

const ACTS: Readonly<Record<StateWord, readonly Act[]>> = {
  scheduled: [start('runs it now')],
  waiting: [inspect],
  starting: [logs],
  running: [inspect],
  backoff: [logs, restart('restart now')],
  stopping: [inspect],
  stopped: [start('starts it')],
  done: [start('runs it again')],
  failed: [logs, start('starts it again after you fixed the cause')],
  'breaker-open': [logs, events, start('closes the breaker after you fixed the cause')],
  casualty: [inspect],
  skipped: [start('starts it all the same')],
  lost: [logs, start('starts it again')],
};

const afterRollout = ({ deploy, error }: InspectedService): readonly Act[] => {
  if (!deploy.failed) return [];
  return error?.code === 'ERR0116'
    ? [logs, restart('rolls out and switches again')]
    : [logs, applyAgain, rollback];
};

const ofRunning = (service: InspectedService): readonly Act[] => {
  const { awaits_restart: changed, health } = service;
  return [
    ...afterRollout(service),
    ...(changed ? [apply] : []),
    ...(health === 'unhealthy' ? [logs] : []),
    inspect,
  ];
};

const shownName = ({ project, name }: InspectedService): string =>
  shownId(serviceId(projectId(project), name));

/** Returns the suggested commands, each only once. If no log is kept, `sup inspect` replaces `sup logs`. */
const helpful = (acts: readonly Act[], service: InspectedService): readonly WhyAction[] => {
  const shown = service.logs.sink === 'none' ? acts.map((act) => (act === logs ? inspect : act)) : acts;
  return [...new Set(shown)].map((act) => act(shownName(service)));
};

/** Returns the commands that can help with this service while no supervisor runs. */
export const actionsWithout = (service: InspectedService): readonly WhyAction[] =>
  helpful([start('starts a supervisor and the service'), logs], service);

/** Returns the commands that can help in the present state of this service. */
export const actionsOn = (service: InspectedService): readonly WhyAction[] =>
  helpful(service.state === 'running' ? ofRunning(service) : ACTS[service.state], service);
