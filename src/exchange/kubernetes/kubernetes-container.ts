// Table rows for the export to Kubernetes: the container, with its program, its environment and how it is
// stopped.
import type { Plain, Translation } from '../key-table.ts';
import { type KubernetesContext, type KubernetesRow, literal, shellCommand } from './kubernetes-context.ts';

const command = ({ spec: { launch } }: KubernetesContext): Translation => {
  if (launch.tag === 'shell')
    return { keys: { 'container.command': ['sh', '-c'], 'container.args': [literal(launch.command)] } };
  const [program = '', ...args] = launch.argv.map(literal);
  return {
    keys: { 'container.command': [program], ...(args.length > 0 && { 'container.args': args }) },
  };
};

/**
 * Returns `workingDir` only if the manifest names a directory. Otherwise the directory of the image is used.
 */
const workingDir = ({ spec: { workingDir: directory }, has }: KubernetesContext): Translation =>
  has('working_dir') ? { keys: { 'container.workingDir': directory } } : {};

const secretName = ({ objectName }: KubernetesContext): string => `${objectName}-secrets`;

/** Returns the command that makes the Secret of a service. */
const creation = (context: KubernetesContext): string => {
  const files = Object.entries(context.spec.env.secrets ?? {}).map(
    ([name, path]) => `--from-file=${name}=${path}`,
  );
  return `To make it: kubectl create secret generic ${secretName(context)} ${files.join(' ')}`;
};

const valuesOf = ({ vars }: KubernetesContext['spec']['env']): readonly Plain[] =>
  Object.entries(vars).map(([name, value]) => ({ name, value: literal(value) }));

const variables = ({ spec: { env }, has }: KubernetesContext): Translation => {
  const entries = valuesOf(env);
  if (entries.length === 0) return {};
  return {
    keys: { 'container.env': entries },
    ...(has('env.file') && {
      comment: 'With the variables of the file of env.file, as they are now',
    }),
  };
};

const secrets = (context: KubernetesContext): Translation => {
  const names = Object.keys(context.spec.env.secrets ?? {});
  if (names.length === 0) return {};
  const from = (key: string): Plain => ({ secretKeyRef: { name: secretName(context), key } });
  return {
    keys: { 'container.env': names.map((name) => ({ name, valueFrom: from(name) })) },
    changed: 'the value is that of a Secret, with the line break at the end of its file',
    comment: creation(context),
  };
};

const stopCommand = ({ spec: { stopCommand: line } }: KubernetesContext): Translation =>
  line === undefined
    ? {}
    : {
        keys: { 'container.lifecycle': { preStop: { exec: { command: shellCommand(line) } } } },
        ...(line.includes('SUP_PID') && {
          changed: 'SUP_PID is not set: the main process of a container has pid 1',
        }),
      };

const stopSignal = ({ spec: { stopSignal: signal } }: KubernetesContext): Translation =>
  signal === 'SIGTERM'
    ? {}
    : { lost: `Kubernetes sends the signal that the image names: write STOPSIGNAL ${signal} there` };

const preStart = ({ spec, image = '', has }: KubernetesContext): Translation => {
  const { preStart: line } = spec.deployment;
  if (line === undefined) return {};
  const container = {
    name: 'pre-start',
    image,
    command: ['sh', '-c'],
    args: [literal(line)],
    ...(has('working_dir') && { workingDir: spec.workingDir }),
    ...(Object.keys(spec.env.vars).length > 0 && { env: valuesOf(spec.env) }),
  };
  return {
    keys: { 'pod.initContainers': [container] },
    changed: 'it runs in a container of its own: the service sees none of the files that it makes',
  };
};

export const CONTAINER_ROWS: readonly KubernetesRow[] = [
  {
    theirs: 'initContainers',
    ours: ['deployment.pre_start'],
    note: 'The init container has the same image and variables, but no secrets.',
    write: preStart,
  },
  {
    theirs: 'containers[].name',
    ours: [],
    write: ({ objectName }) => ({ keys: { 'container.name': objectName } }),
  },
  {
    theirs: 'containers[].image',
    ours: ['x-image'],
    note: 'The option `--image` names the image too.',
    write: ({ image = '' }) => ({ keys: { 'container.image': image } }),
  },
  {
    theirs: 'containers[].command, args',
    ours: ['command', 'exec'],
    note: 'A `command` runs through `sh -c`, so the image must have a shell. `$(NAME)` is written as `$$(NAME)`: Kubernetes would replace it.',
    write: command,
  },
  {
    theirs: 'containers[].workingDir',
    ours: ['working_dir'],
    note: 'The path must exist in the image. Without the key the directory is that of the image.',
    write: workingDir,
  },
  {
    theirs: 'containers[].env',
    ours: ['env.vars', 'env.file'],
    note: 'All variables are written with their values, also those of `env.file`.',
    write: variables,
  },
  {
    theirs: 'containers[].env[].valueFrom.secretKeyRef',
    ours: ['env.secrets'],
    note: 'The export writes a reference to a Secret `<name>-secrets`. A comment says how to create the Secret. The value is never written.',
    write: secrets,
  },
  {
    theirs: 'none',
    ours: ['env.inherit_env', 'env.clean', 'env.clear_session_vars', 'env.strip'],
    note: 'Not needed: a container inherits no variables of its machine.',
    write: () => ({}),
  },
  {
    theirs: 'containers[].lifecycle.preStop',
    ours: ['stop_command'],
    note: 'Its time is part of `terminationGracePeriodSeconds`, as it is part of `stop_timeout`.',
    write: stopCommand,
  },
  {
    theirs: 'none',
    ours: ['stop_signal'],
    note: 'SIGTERM is the default of Kubernetes, too. Another signal is lost: the image names it with `STOPSIGNAL`.',
    write: stopSignal,
  },
];
