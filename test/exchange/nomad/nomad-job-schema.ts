// What Nomad's interface documents of a job, as a JSON Schema that refuses any other key: the parts that
// `sup export` can write. Times are nanoseconds.
const text = { type: 'string' } as const;
const whole = { type: 'integer', minimum: 0 } as const;
const yes = { type: 'boolean' } as const;
const texts = { type: 'array', items: text } as const;

const object = (properties: object, required: readonly string[] = []): object => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
});
const listOf = (items: object): object => ({ type: 'array', items });

/** Keys of the drivers `raw_exec` and `docker`. */
const config = object(
  {
    ...{ command: text, args: texts, work_dir: text, image: text },
    ...{ cap_add: texts, cap_drop: texts, pids_limit: whole },
  },
  ['command', 'args'],
);

const check = object(
  {
    ...{
      Name: text,
      Type: { enum: ['http', 'tcp', 'script'] },
      Protocol: { enum: ['http', 'https'] },
      Path: text,
    },
    ...{ Command: text, Args: texts, TaskName: text },
    ...{ Interval: { type: 'integer', minimum: 1e9 }, Timeout: { type: 'integer', minimum: 1e9 } },
    CheckRestart: object({ Limit: whole, Grace: whole, IgnoreWarnings: yes }),
  },
  ['Name', 'Type', 'Interval', 'Timeout'],
);

const service = object(
  {
    ...{
      Name: text,
      Provider: { enum: ['nomad', 'consul'] },
      PortLabel: text,
      AddressMode: { const: 'host' },
    },
    Checks: listOf(check),
  },
  ['Name', 'Provider'],
);

const task = object(
  {
    ...{ Name: text, Driver: { enum: ['raw_exec', 'docker'] }, Config: config, User: text },
    Env: { type: 'object', additionalProperties: text },
    Templates: listOf(object({ EmbeddedTmpl: text, DestPath: text, Envvars: yes, Perms: text })),
    ...{ KillSignal: { type: 'string', pattern: '^SIG[A-Z0-9+]+$' }, KillTimeout: whole },
    Resources: object({ MemoryMB: { type: 'integer', minimum: 1 } }),
    LogConfig: object({ Disabled: yes, MaxFiles: whole, MaxFileSizeMB: whole }),
    Lifecycle: object({ Hook: { enum: ['prestart', 'poststart', 'poststop'] }, Sidecar: yes }),
  },
  ['Name', 'Driver', 'Config'],
);

const group = object(
  {
    ...{ Name: text, Count: whole, Tasks: { ...listOf(task), minItems: 1 }, Services: listOf(service) },
    RestartPolicy: object({
      Attempts: whole,
      Delay: whole,
      Interval: whole,
      Mode: { enum: ['fail', 'delay'] },
    }),
    ReschedulePolicy: object({ Attempts: whole, Unlimited: yes }),
    Networks: listOf(
      object({
        Mode: { enum: ['host', 'bridge', 'none'] },
        ReservedPorts: listOf(
          object({ Label: text, Value: { type: 'integer', minimum: 1, maximum: 65_535 } }),
        ),
      }),
    ),
  },
  ['Name', 'Count', 'Tasks'],
);

export const NOMAD_JOB_SCHEMA = object(
  {
    Job: object(
      {
        ...{
          ID: text,
          Name: text,
          Type: { enum: ['service', 'batch', 'system', 'sysbatch'] },
          Datacenters: texts,
        },
        Periodic: object({
          ...{ Enabled: yes, SpecType: { const: 'cron' }, Spec: text, ProhibitOverlap: yes, TimeZone: text },
        }),
        Update: object({
          ...{ MaxParallel: whole, Canary: whole, AutoPromote: yes, AutoRevert: yes, MinHealthyTime: whole },
          HealthCheck: { enum: ['checks', 'task_states', 'manual'] },
        }),
        TaskGroups: { ...listOf(group), minItems: 1 },
      },
      ['ID', 'Name', 'Type', 'TaskGroups'],
    ),
  },
  ['Job'],
);
