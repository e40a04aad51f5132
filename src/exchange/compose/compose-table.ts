// The table that translates the keys of a Compose service to keys of `sup`, and back.
import { CHECK_AND_DEPLOY_ROWS } from './compose-check-rows.ts';
import { CONTAINER_ROWS } from './compose-container-rows.ts';
import { LIFE_ROWS } from './compose-life-rows.ts';
import { LIMIT_ROWS } from './compose-limit-rows.ts';
import { OUTPUT_ROWS } from './compose-output-rows.ts';
import { RUN_ROWS } from './compose-run-rows.ts';
import type { ComposeRow } from './compose-target.ts';

export const COMPOSE_ROWS: readonly ComposeRow[] = [
  ...RUN_ROWS,
  ...LIFE_ROWS,
  ...CHECK_AND_DEPLOY_ROWS,
  ...LIMIT_ROWS,
  ...OUTPUT_ROWS,
  ...CONTAINER_ROWS,
];
