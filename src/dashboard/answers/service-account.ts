// Collects what the page shows about one service: the results of `why` and `inspect`, samples, and the
// resolved configuration.
import { failedWith } from '../../client/client-failure.ts';
import type { Sup } from '../../client/api/sup-interface.ts';
import { groupOf, LOOSE, nameOf, projectId, projectOf, serviceId } from '../../streams/domain/ids.ts';
import { type Fields, isFields } from '../../streams/wire/params/checked-fields.ts';
import type { ServiceAnswer } from '../page-messages.ts';

interface AccountQuestion {
  /** The id of the service, `project/name`. */
  readonly service: string;
  /** How far back the samples go, such as `15m`. Without this key the answer has no samples. */
  readonly window?: string;
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1e3, m: 60e3, h: 3_600e3, d: 86_400e3 };

/** Returns the length of a window such as `15m` in ms. Throws a `RangeError` for a text of another form. */
const lengthOf = (window: string): number => {
  const [, amount, unit = ''] = /^(\d{1,6})([smhd])$/.exec(window) ?? [];
  const length = Number(amount ?? 0) * (UNIT_MS[unit] ?? 0);
  if (length === 0) throw new RangeError(`window: "${window}" is not a length of time such as 15m`);
  return length;
};

const within = (value: unknown, key: string): Fields => {
  const below = isFields(value) ? value[key] : undefined;
  return isFields(below) ? below : {};
};

/** Returns the part of a manifest that declares the service. */
const declarationOf = (config: unknown, service: string): Fields => {
  const [project = '', name = ''] = service.split('/');
  const id = groupOf(serviceId(projectId(project), name));
  const owner = projectOf(id) === LOOSE ? config : within(within(config, 'projects'), projectOf(id));
  return within(within(owner, 'services'), nameOf(id));
};

/**
 * Resolves to the service's configuration with masked secrets, as indented JSON. Resolves to `null` if the
 * manifest of the service can no longer be read.
 */
const configOf = async (sup: Sup, service: string): Promise<string | null> => {
  try {
    const { projects } = await sup.status({ services: [service] });
    const manifest = projects[0]?.manifest;
    if (manifest === undefined || manifest === null) return null;
    const { config } = await sup.config({ manifest });
    return JSON.stringify(declarationOf(config, service), null, 2);
  } catch {
    return null;
  }
};

/**
 * Resolves to everything that the page shows about one service. Rejects with ERR0202 if no service has this
 * id.
 */
export const accountOf = async (sup: Sup, { service, window }: AccountQuestion): Promise<ServiceAnswer> => {
  const selection = { services: [service] };
  const length = window === undefined ? {} : { windowMs: lengthOf(window) };
  const [inspected, explained, config] = await Promise.all([
    sup.inspect(selection, length),
    sup.why(selection),
    configOf(sup, service),
  ]);
  const [inspect] = inspected.services;
  const [why] = explained.services;
  if (inspect === undefined || why === undefined)
    throw failedWith({ code: 'ERR0202', name: service, known: [] });
  return { why, inspect, config };
};
