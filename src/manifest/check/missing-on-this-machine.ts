// Warns about declared things that this machine lacks: account, capability, CPU, limit (ERR0741). Only `sup
// validate` does this. A start needs no such check, because it fails or warns by itself.
import { capabilityName, capabilityNumber } from '../../streams/launch/capability-steps.ts';
import { RESOURCES } from '../../streams/launch/limit-steps.ts';
import type { Limit } from '../../streams/domain/declared/spec.ts';
import type { Machine } from '../read/reader.ts';
import type { isolation, limits } from '../decode/privilege-objects.ts';
import { reportAtKey, type DecodeContext, type Spot, type ValueOf } from '../decode/shapes/decoder.ts';
import { written } from './report-ignored-keys.ts';

interface Declared {
  readonly user?: string;
  readonly group?: string;
  readonly supplementaryGroups?: readonly string[];
  readonly capabilities?: readonly string[];
  readonly limits?: ValueOf<typeof limits>;
  readonly isolation?: ValueOf<typeof isolation>;
}

interface Unavailable {
  readonly key: string;
  readonly why: string;
  /**
   * True if a supervisor without `--sys` starts the service without this limit, although the service declares
   * it. This holds only for version 2 of the manifest.
   */
  readonly mayBePassedOver?: true;
}

const isNumber = (text: string): boolean => /^\d+$/.test(text);

const strangers = ({ user, group }: Declared, machine: Machine): readonly Unavailable[] => {
  if (user === undefined || machine.knows('passwd', user) !== false) return [];
  if (!isNumber(user)) return [{ key: 'user', why: `this machine has no user "${user}"` }];
  return group === undefined
    ? [{ key: 'user', why: `user ${user} has no account, and so no group: name one with group` }]
    : [];
};

const unknownGroups = (
  key: string,
  groups: readonly string[],
  { knows }: Machine,
): readonly Unavailable[] => {
  const unknown = groups.find((group) => !isNumber(group) && knows('group', group) === false);
  return unknown === undefined ? [] : [{ key, why: `this machine has no group "${unknown}"` }];
};

/**
 * Returns the first declared capability that this machine cannot give. A service with its own user namespace
 * can get every capability.
 */
const missing = ({ capabilities = [], isolation }: Declared, machine: Machine): readonly Unavailable[] => {
  const absent = capabilities.find((name) => !machine.capabilities.includes(capabilityNumber(name) ?? -1));
  if (absent === undefined || isolation?.user === true) return [];
  const known = machine.capabilities.flatMap((number) => capabilityName(number) ?? []).join(', ');
  const why = `${absent} cannot be given here; there is ${known === '' ? 'none' : known}`;
  return [{ key: 'capabilities', why }];
};

const ofRoot = (declared: Declared, machine: Machine): readonly Unavailable[] => [
  ...strangers(declared, machine),
  ...unknownGroups('group', declared.group === undefined ? [] : [declared.group], machine),
  ...unknownGroups('supplementary_groups', declared.supplementaryGroups ?? [], machine),
  ...missing(declared, machine),
];

const isAbove = (value: Limit, highest: Limit): boolean =>
  highest !== 'unlimited' && (value === 'unlimited' || value > highest);

const tooHigh = ({ limits = {} }: Declared, machine: Machine): readonly Unavailable[] =>
  RESOURCES.flatMap((resource): readonly Unavailable[] => {
    const [value, highest] = [limits[resource], machine.highest(resource)];
    if (value === undefined || !isAbove(value, highest)) return [];
    const why = `${value} is above ${highest}, the most that can be set here`;
    return [{ key: `limits.${resource}`, why, mayBePassedOver: true }];
  });

const tooLow = ({ limits }: Declared, machine: Machine): readonly Unavailable[] =>
  (
    [
      ['nice', limits?.nice, machine.lowestNice],
      ['oom_score_adj', limits?.oomScoreAdj, machine.lowestOomScore],
    ] as const
  ).flatMap(([name, value, lowest]): readonly Unavailable[] => {
    if (value === undefined || value >= lowest) return [];
    const why = `${value} is below ${lowest}, the lowest that can be set here`;
    return [{ key: `limits.${name}`, why, mayBePassedOver: true }];
  });

const absentCpus = ({ limits }: Declared, { cpus }: Machine): readonly Unavailable[] => {
  const absent = (limits?.cpuAffinity ?? []).filter((cpu) => !cpus.includes(cpu));
  if (absent.length === 0) return [];
  const why = `this machine has no CPU ${absent.join(', ')}; it has ${cpus.join(', ')}`;
  return [{ key: 'limits.cpu_affinity', why }];
};

/** Warns about everything that a service declares and this machine lacks. `spot`: the service. */
export const warnOfUnavailable = (declared: Declared, spot: Spot, context: DecodeContext): void => {
  const { machine, sys } = context.reader;
  if (machine === undefined) return;
  const found = [
    ...(sys ? ofRoot(declared, machine) : []),
    ...tooHigh(declared, machine),
    ...tooLow(declared, machine),
    ...absentCpus(declared, machine),
  ];
  for (const { key, why, mayBePassedOver } of found) {
    const isPassedOver = mayBePassedOver === true && !sys && context.schema === 2;
    const then = isPassedOver ? 'the service runs without it' : 'the service will not be started';
    reportAtKey(written(spot, key) ?? spot, context, {
      code: 'ERR0741',
      severity: 'warning',
      message: `${why}: ${then}`,
    });
  }
};
