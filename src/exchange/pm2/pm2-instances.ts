// Translates the number of instances of an app, and the variables that have the number of an instance.
import { isCluster } from './pm2-command.ts';
import { type Pm2App, settingOf, shownValue, textOf, valueOf } from './pm2-app.ts';
import { remarks, type Setting, type Translation } from '../key-table.ts';

/**
 * Returns the number in `instances`; `undefined` if it is absent. PM2 adds the number of processors to a
 * number of 0 or less.
 */
const written = (app: Pm2App): number | undefined => {
  const value = valueOf(app, 'instances');
  if (value === undefined || value === null) return undefined;
  const number = value === 'max' ? 0 : Number.parseInt(shownValue(value), 10);
  return Number.isNaN(number) ? 0 : number;
};

/** Returns how many instances PM2 would start on this machine. */
const instancesOf = (app: Pm2App): number => {
  const number = written(app) ?? 1;
  return Math.max(1, number > 0 ? number : app.processors + number);
};

const MASTER =
  'PM2 shares one port between the instances; with sup each listens by itself: give each a port with {instance}, ' +
  'or let sup hold the socket (sockets)';

/** Translates `instances`: several become `replicas`. */
export const readInstances = ({ value }: Setting, app: Pm2App): Translation => {
  const count = instancesOf(app);
  const fixed = `${shownValue(value)} means as many as the machine has processors; replicas is a fixed number, ${count} here`;
  const changes = [
    ...((written(app) ?? 1) <= 0 ? [fixed] : []),
    ...(count > 1 && isCluster(app) ? [MASTER] : []),
  ];
  return {
    ...(count > 1 && { keys: { replicas: count } }),
    ...remarks(changes),
  };
};

const NUMBER = '{instance}';

/** Translates the variable with the number of the instance. PM2 counts from 0, and `sup` from 1. */
export const instanceVariable = (app: Pm2App): Translation => {
  const name = textOf(app, 'instance_var') ?? 'NODE_APP_INSTANCE';
  if (instancesOf(app) === 1) return { keys: { 'env.vars': { [name]: '0' } } };
  return {
    keys: { 'env.vars': { [name]: NUMBER } },
    changed: `${name} counts from 1 instead of 0`,
  };
};

const firstOf = (app: Pm2App, variable: string): number => {
  const env = valueOf(app, 'env');
  const value = typeof env === 'object' && env !== null ? Object.entries(env) : [];
  return Number(value.find(([name]) => name === variable)?.[1] ?? 0) || 0;
};

/**
 * Translates `increment_var`, the name of a variable. PM2 adds 1 to the value of this variable for each
 * further instance.
 */
export const readIncrement = (_: Setting, app: Pm2App): Translation => {
  const name = textOf(app, 'increment_var') ?? '';
  const [first, count] = [firstOf(app, name), instancesOf(app)];
  if (count === 1) return { keys: { 'env.vars': { [name]: String(first) } } };
  const after = `${name} counts from ${first + 1} instead of ${first}`;
  if (first % 10 === 0 && count < 10)
    return {
      keys: { 'env.vars': { [name]: `${first === 0 ? '' : first / 10}${NUMBER}` } },
      changed: after,
    };
  const keys = { 'env.vars': { [name]: String(first) } };
  return {
    keys,
    lost: `all instances have the same ${name}: write it with {instance}, as in PORT: 300{instance}`,
  };
};

/** True if the row of `increment_var` writes this variable, so that the row of `env` must leave it out. */
export const isCounted = (app: Pm2App, variable: string): boolean =>
  settingOf(app, 'increment_var') !== undefined && textOf(app, 'increment_var') === variable;
