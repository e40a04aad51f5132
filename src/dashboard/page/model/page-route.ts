// The fragment of the URL names the view: `#/` all services, `#/shop/api/logs` a tab of a service.

export const TABS = ['account', 'charts', 'logs', 'processes', 'configuration'] as const;
export type Tab = (typeof TABS)[number];

interface Route {
  /** The id of the shown service; `undefined` for all services. */
  readonly service: string | undefined;
  readonly tab: Tab;
}

export const routeOf = (fragment: string): Route => {
  const [, project = '', name = '', tab = ''] = fragment.split('/').map(decoded);
  return {
    service: fragment.startsWith('#/') && project !== '' && name !== '' ? `${project}/${name}` : undefined,
    tab: TABS.find((one) => one === tab) ?? 'account',
  };
};

/** Returns the decoded text, or the unchanged text if its percent-encoding is invalid. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

export const fragmentOf = (service: string, tab: Tab = 'account'): string => {
  const [project = '', name = ''] = service.split('/').map(encodeURIComponent);
  return `#/${project}/${name}${tab === 'account' ? '' : `/${tab}`}`;
};
