// `sup reload`: makes services read their own configuration again, in the way that the key `reload` of the
// manifest declares. Never restarts a service.
import { lengthText } from '../../streams/domain/time.ts';
import { exitText, isSuccess } from '../../streams/domain/service/exit-status.ts';
import { LOOSE, shownId } from '../../streams/domain/ids.ts';
import type { Reload, ServiceSpec } from '../../streams/domain/declared/spec.ts';
import { whoRunsCommands } from '../../streams/launch/command-as-service.ts';
import type { Context, Handler } from '../context.ts';
import { Failure } from '../../streams/views/errors/command-failure.ts';
import { chosenServices, type Running, runningOf, sendSignal } from './kill/running-services.ts';
import { runHere } from './exec/run-as-service.ts';
import { type Attempt, remembered, sent, tell } from './kill/signal-report.ts';
import { selectionOf } from '../selection.ts';
import { shell } from '../../sinks/process/start-by-node.ts';

const pathOf = ({ project, name }: ServiceSpec): string =>
  `${project === LOOSE ? '' : `projects.${project}.`}services.${name}.reload`;

/** Returns how the service is reloaded. Throws ERR0213 if its manifest has no `reload`. */
const reloadOf = ({ spec }: Running['service']): Reload => {
  if (spec.reload !== undefined) return spec.reload;
  throw new Failure({
    code: 'ERR0213',
    message: `${shownId(spec.id)} has no reload in its manifest`,
    path: pathOf(spec),
    at: spec.manifest,
    hint: 'write reload: { signal: HUP } or reload: <command>, then take it up with sup apply',
  });
};

const bySignal = async (context: Context, target: Running, signal: string): Promise<Attempt> => {
  const { id } = target.service.spec;
  const act = { tag: 'signal', by: 'reload', signal } as const;
  const warnings = await remembered(context, [{ service: id, act }]);
  return { target, done: sent(target, signal), refusal: sendSignal(target, signal), warnings };
};

const byCommand = async (context: Context, target: Running, command: string): Promise<Attempt> => {
  const { spec } = target.service;
  const name = shownId(spec.id);
  const more = { SUP_PID: String(target.process.pid) };
  const { service } = target;
  const { peekSettings } = await import('../../manifest/settings/load-settings.ts');
  const { preStart } = peekSettings(context.layout.settings, context.world.environment).settings;
  const until = AbortSignal.timeout(preStart);
  const status = await runHere(context, {
    ...{ argv: shell(command), service, more, aside: true, until },
    plan: whoRunsCommands(spec.runAs, spec.schema, spec.privilege) ?? 'user',
  });
  const became = until.aborted
    ? `did not end within ${lengthText(preStart)} (pre_start_secs)`
    : exitText(status);
  const warnings = await remembered(context, [{ service: spec.id, act: { tag: 'command', status } }]);
  return {
    target,
    done: `${name}: reload command succeeded`,
    refusal: isSuccess(status) ? undefined : `the reload command of ${name} ${became}`,
    warnings,
  };
};

const attempt = (context: Context, target: Running, way: Reload): Promise<Attempt> =>
  way.tag === 'signal' ? bySignal(context, target, way.signal) : byCommand(context, target, way.command);

export const reload: Handler = async (parsed, context) => {
  const selection = selectionOf(parsed, context);
  const planned = runningOf(chosenServices(context, selection), selection).map((target) => ({
    target,
    way: reloadOf(target.service),
  }));
  const attempts: Attempt[] = [];
  for (const { target, way } of planned) attempts.push(await attempt(context, target, way));
  return tell(context, attempts, { command: 'reload', what: 'reloaded' });
};
