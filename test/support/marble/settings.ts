// The settings of a story, by the names that supervisor.xml gives them.
import { DEFAULT_SETTINGS, type Settings } from '../../../src/streams/domain/declared/settings.ts';
import { ms, seconds } from '../../../src/streams/domain/time.ts';
import type { Story } from './story.ts';

const READERS: Readonly<Record<string, (value: number) => Partial<Settings>>> = {
  max_concurrent: (value) => ({ maxConcurrent: value }),
  pre_start_secs: (value) => ({ preStart: seconds(value) }),
  startup_stability_ms: (value) => ({ startupStability: ms(value) }),
  stop_verify_secs: (value) => ({ stopVerify: seconds(value) }),
  start_settle_secs: (value) => ({ startSettle: seconds(value) }),
};

export const settingsOf = ({ name, settings }: Story): Settings => {
  let read = DEFAULT_SETTINGS;
  for (const [key, value] of Object.entries(settings)) {
    const reader = READERS[key];
    if (reader === undefined || Number.isNaN(Number(value)))
      throw new Error(`${name}: "${key}=${value}" is not a setting that stories know`);
    read = { ...read, ...reader(Number(value)) };
  }
  return read;
};
