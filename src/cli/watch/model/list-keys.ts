// The keys of the table of services: selection, groups, filter, sort, and the content of the pane below.
import { type Binding, isOnServices, onRow, STEPS, to } from './binding.ts';
import { isGroup, nextSort } from './rows.ts';
import { sharesOf } from './page-shares.ts';
import { placeOf, type Scene, selectedRow } from './scene.ts';

/**
 * Returns by how many rows PageUp and PageDown move the selection: one less than the number of shown rows.
 */
const pageOf = (scene: Scene): number => Math.max(1, (sharesOf(scene).services ?? 0) - 1);

/** Moves the selection by `step` rows, but not beyond the first or the last row. */
export const moved = (scene: Scene, step: number): Scene => {
  const { rows } = scene;
  const place = Math.min(rows.length - 1, Math.max(0, placeOf(scene) + step));
  return { ...scene, selected: rows[place]?.id };
};

/** Expands or collapses the group of the selected row, and selects the group. */
const withOpen =
  (isOpen?: boolean) =>
  (scene: Scene): Scene => {
    const row = selectedRow(scene);
    const id = row?.group ?? row?.id;
    if (row === undefined || id === undefined) return scene;
    const opened = new Map(scene.opened).set(id, isOpen ?? row.isOpen === false);
    return { ...scene, selected: id, opened };
  };

const showing =
  (pane: Scene['pane']) =>
  (scene: Scene): Scene => ({
    ...scene,
    ...{ pane, focus: 'pane', scrolled: 0, selected: selectedRow(scene)?.id ?? scene.selected },
  });

const onOwnRow: typeof onRow = (is) => (scene) => isOnServices(scene) && onRow(is)(scene);
const isOnGroup = onOwnRow(isGroup);

const reversed = (scene: Scene): Scene =>
  scene.sort === undefined
    ? scene
    : { ...scene, sort: { ...scene.sort, isDescending: !scene.sort.isDescending } };

export const SERVICE_KEYS: readonly Binding[] = [
  {
    ...{ keys: Object.keys(STEPS), label: '↑↓', hint: () => 'select', isPossible: onOwnRow(() => true) },
    help: 'select a service; also k j, PgUp PgDn, Home End, g G',
    press: (scene, key) => ({ scene: moved(scene, STEPS[key]?.(pageOf(scene)) ?? 0) }),
  },
  {
    ...{ keys: ['\r', '\n'], label: 'Enter', isPossible: isOnGroup, press: to(withOpen()) },
    hint: (scene) => (selectedRow(scene)?.isOpen === true ? 'collapse' : 'expand'),
    help: 'why the service is as it is; of one with replicas: lists the instances',
  },
  {
    ...{ keys: ['\r', '\n', 'w'], label: 'Enter', hint: () => 'why', press: to(showing('why')) },
    isPossible: onOwnRow((row) => !isGroup(row)),
  },
  {
    ...{ keys: ['w'], label: 'w', hint: () => 'why', help: 'why it is as it is', press: to(showing('why')) },
    isPossible: isOnGroup,
  },
  {
    ...{ keys: ['right'], label: '→ ←', help: 'expand and collapse a service with replicas' },
    ...{ isPossible: onOwnRow((row) => row.isOpen === false), press: to(withOpen(true)) },
  },
  {
    ...{ keys: ['left'], label: '←', press: to(withOpen(false)) },
    isPossible: onOwnRow((row) => row.isOpen === true || row.group !== undefined),
  },
  {
    ...{ keys: ['l'], label: 'l', hint: () => 'logs', help: 'its logs', press: to(showing('logs')) },
    isPossible: onRow((_, { pane, focus }) => pane !== 'logs' || focus === 'services'),
  },
  {
    ...{ keys: ['/'], label: '/', hint: () => 'filter', help: 'filter the services, or search the logs' },
    ...{ isPossible: isOnServices, press: to((scene) => ({ ...scene, typing: 'filter' })) },
  },
];

/** The keys for the order of the rows. */
export const ORDER_KEYS: readonly Binding[] = [
  {
    ...{
      keys: ['o'],
      label: 'o',
      hint: () => 'sort',
      help: 'sort by the next column; O: the other way round',
    },
    ...{ isPossible: isOnServices, press: to((scene) => ({ ...scene, sort: nextSort(scene.sort) })) },
  },
  {
    ...{ keys: ['O'], label: 'O', hint: () => 'reverse', press: to(reversed) },
    isPossible: (scene) => isOnServices(scene) && scene.sort !== undefined,
  },
  {
    ...{ keys: ['v'], label: 'v', help: 'expand or collapse all services with replicas' },
    isPossible: isOnServices,
    press: to((scene) => ({ ...scene, unfolded: !scene.unfolded, opened: new Map() })),
  },
];
