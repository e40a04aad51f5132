// Checks the parameters of the command `acted`. It reports that a user signalled or reloaded processes of
// services directly.
import type { Command, ServiceAct } from '../../domain/command.ts';
import { projectId, serviceId, type ServiceId } from '../../domain/ids.ts';
import type { ExitStatus } from '../../domain/service/exit-status.ts';
import type { Act } from '../../domain/service/history-facts.ts';
import {
  accept,
  checkFields,
  checkText,
  isFields,
  refuse,
  shown,
  type Checked,
  type Fields,
} from './checked-fields.ts';

/** The maximum number of acts in one command. No supervisor has that many services. */
const MOST = 10_000;
const SIGNAL = /^SIG[A-Z0-9]{1,12}$/;
const HIGHEST_STATUS = 255;

const isSignal = (value: unknown): value is string => typeof value === 'string' && SIGNAL.test(value);

const isCode = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= HIGHEST_STATUS;

const statusOf = (value: unknown): ExitStatus | undefined => {
  if (!isFields(value)) return undefined;
  const { tag, code, signal } = value;
  if (tag === 'signal') return isSignal(signal) ? { tag, signal } : undefined;
  return tag === 'code' && isCode(code) ? { tag, code } : undefined;
};

const signalOf = ({ by, signal }: Fields): Act | undefined =>
  (by === 'kill' || by === 'reload') && isSignal(signal) ? { tag: 'signal', by, signal } : undefined;

const actOf = (value: unknown): Act | undefined => {
  if (!isFields(value)) return undefined;
  if (value['tag'] === 'signal') return signalOf(value);
  const status = value['tag'] === 'command' ? statusOf(value['status']) : undefined;
  return status && { tag: 'command', status };
};

const checkService = (value: unknown, path: string): Checked<ServiceId> => {
  const text = checkText(value, path);
  if (!text.ok) return text;
  const [project, name, ...more] = text.value.split('/');
  return project && name && more.length === 0
    ? accept(serviceId(projectId(project), name))
    : refuse(`${path}: ${shown(value)} is not project/service`);
};

const checkAct = (value: unknown, path: string): Checked<ServiceAct> => {
  const fields = checkFields(value, path, ['service', 'act']);
  if (!fields.ok) return fields;
  const service = checkService(fields.value['service'], `${path}.service`);
  if (!service.ok) return service;
  const act = actOf(fields.value['act']);
  return act ? accept({ service: service.value, act }) : refuse(`${path}.act: is not what can be done`);
};

/** Returns the checked command `acted` with its list of `{service, act}`. A refusal names the wrong key. */
export const checkActed = (value: unknown): Checked<Command> => {
  const fields = checkFields(value, 'params', ['type', 'acts']);
  if (!fields.ok) return fields;
  const { acts } = fields.value;
  if (!Array.isArray(acts) || acts.length === 0 || acts.length > MOST)
    return refuse('params.acts: is not a list of what was done');
  const checked: ServiceAct[] = [];
  for (const [index, act] of acts.entries()) {
    const one = checkAct(act, `params.acts.${index}`);
    if (!one.ok) return one;
    checked.push(one.value);
  }
  return accept({ type: 'acted', acts: checked });
};
