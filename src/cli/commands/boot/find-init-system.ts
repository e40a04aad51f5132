// Selects the init system that `--init` names, or without `--init` the init system that runs on this machine.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Context } from '../../context.ts';
import { failure } from '../../../streams/views/errors/command-failure.ts';
import { usageError } from '../../grammar/usage-error.ts';
import { realPlace } from '../../../os/files/directories.ts';
import { dataDirOf } from '../../../os/choose-data-directory.ts';
import { crontab } from './crontab.ts';
import {
  type BootPlace,
  type InitName,
  INITS,
  type InitSystem,
  SYSTEM_PATH,
  type Tool,
  toolsOf,
} from './init-system.ts';
import { openrc } from './openrc.ts';
import { systemd } from './systemd.ts';

const placeOf = ({ dataDir, sys, world }: Context): BootPlace => ({
  node: process.execPath,
  supervisor: world.supervisor,
  guardian: world.guardian,
  dataDir,
  sys,
  path: sys ? SYSTEM_PATH : (world.environment['PATH'] ?? '/usr/local/bin:/usr/bin:/bin'),
});

const userUnits = ({ world: { environment } }: Context): string => {
  const { XDG_CONFIG_HOME: config = '', HOME: home = '/' } = environment;
  return `${config.startsWith('/') ? config : resolve(home, '.config')}/systemd/user`;
};

const unitsOf = (
  context: Context,
): Pick<Parameters<typeof systemd>[0], 'directory' | 'packaged' | 'isDefaultData'> => {
  const { sys, dataDir, world } = context;
  const { HOME = '/' } = world.environment;
  return {
    directory: sys ? '/etc/systemd/system' : userUnits(context),
    packaged: `/usr/lib/systemd/${sys ? 'system' : 'user'}`,
    // Only `HOME` is used here, because the user manager of systemd sets no other variable that selects the
    // data directory.
    isDefaultData: dataDir === realPlace(dataDirOf({ HOME }, { sys, directory: world.directory })),
  };
};

const found = (tool: Tool, { sys }: Context): InitName => {
  if (existsSync('/run/systemd/system')) return 'systemd';
  if (sys && existsSync('/sbin/openrc-run')) return 'openrc';
  if (tool('crontab', ['-l']).status !== undefined) return 'crontab';
  const detail = 'no systemd, OpenRC or crontab found; choose one with --init';
  throw failure({ code: 'ERR0604', detail });
};

const isInit = (word: string): word is InitName => INITS.some((name) => name === word);

/**
 * Returns the init system. Throws a usage error for an unknown name, and ERR0604 if no init system is found.
 */
export const initSystemFor = (context: Context, asked: string | undefined): InitSystem => {
  const tool = toolsOf(context.world);
  if (asked !== undefined && !isInit(asked))
    throw usageError(
      `--init: "${asked}" is not known`,
      `sup boot install --init ${INITS[0]}; there are ${INITS.join(', ')}`,
    );
  const place = placeOf(context);
  switch (asked ?? found(tool, context)) {
    case 'systemd':
      return systemd({ place, tool, ...unitsOf(context) });
    case 'openrc':
      if (!context.sys)
        throw failure({ code: 'ERR0604', detail: 'OpenRC has services of the machine only: --sys' });
      return openrc({ place, tool, etc: '/etc' });
    case 'crontab':
      return crontab(place, tool);
  }
};
