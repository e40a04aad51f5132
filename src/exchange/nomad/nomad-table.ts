// The table of Nomad. The first part of a key says where it belongs: `job`, `group` or `task`.
import { NOMAD_CHECK_ROWS } from './nomad-checks.ts';
import { NOMAD_JOB_ROWS } from './nomad-job.ts';
import { NOMAD_TASK_ROWS } from './nomad-task.ts';

export const NOMAD_ROWS = [...NOMAD_JOB_ROWS, ...NOMAD_TASK_ROWS, ...NOMAD_CHECK_ROWS];
