// The keys that change services. Each key asks for confirmation, and works only while a supervisor is
// connected.
import { type Binding, onRow } from './binding.ts';
import { isGroup, type LiveRow } from './rows.ts';
import { type Scene, selectedRow, type ServiceAction } from './scene.ts';

const DOWN: ReadonlySet<string> = new Set(['stopped', 'done', 'failed', 'breaker-open', 'skipped', 'lost']);

/** Returns a `press` that asks the user to confirm an action on the selected row. */
const asking =
  (actionOn: (row: LiveRow) => ServiceAction): Binding['press'] =>
  (scene) => {
    const row = selectedRow(scene);
    return { scene: row === undefined ? scene : { ...scene, selected: row.id, pending: actionOn(row) } };
  };

const connected = (is: (row: LiveRow) => boolean): ((scene: Scene) => boolean) =>
  onRow((row, { isConnected }) => isConnected && is(row));

const scaling = (step: 1 | -1): Binding['press'] =>
  asking(({ id: row, members: { length: from } }) => ({
    ...{ type: 'scale', row, from },
    replicas: Math.max(0, from + step),
  }));

const simple = (type: 'start' | 'stop' | 'restart' | 'reload'): Binding['press'] =>
  asking(({ id: row }) => ({ type, row }));

export const ACTION_KEYS: readonly Binding[] = [
  {
    ...{ keys: ['r'], label: 'r', hint: () => 'restart', press: simple('restart') },
    help: 'restart it, by its strategy; asks first',
    isPossible: connected(() => true),
  },
  {
    ...{ keys: ['s'], label: 's', hint: () => 'stop', press: simple('stop') },
    help: 'stop it; its dependents are left alone; asks first',
    isPossible: connected(({ service: { state } }) => !DOWN.has(state)),
  },
  {
    ...{ keys: ['u'], label: 'u', hint: () => 'start', press: simple('start') },
    help: 'start it (up), with what it depends on; asks first',
    isPossible: connected((row) => row.service.state !== 'running' || isGroup(row)),
  },
  {
    ...{ keys: ['R'], label: 'R', press: simple('reload') },
    help: 'make it reread its configuration, as its reload says; asks first',
    isPossible: connected(({ service }) => service.state === 'running'),
  },
  {
    ...{ keys: ['+', '='], label: '+ -', hint: () => 'scale', press: scaling(1) },
    help: 'one instance more or fewer of a service with replicas; asks first',
    isPossible: connected(isGroup),
  },
  { keys: ['-'], label: '-', isPossible: connected(isGroup), press: scaling(-1) },
];
