// Makes the paths of a Compose file absolute that lies in another directory than the first one.
import { resolve } from 'node:path';
import { below, type Node as TreeNode } from '../../manifest/read/node.ts';

/** Where a tree has paths; the elements of lists have the path of their list. */
const PATHS =
  /^(?:services\.[^]*\.(?:env_file(?:\.path)?|build(?:\.context)?|volumes\.source|develop\.watch\.path)|secrets\.[^]*\.file)$/;
const VOLUMES = /^services\.[^]*\.volumes$/;

const resolved = (text: string, path: string, directory: string): string => {
  if (PATHS.test(path) && !/^\w+:\/\//.test(text)) return resolve(directory, text);
  return VOLUMES.test(path) ? text.replace(/^\.[^:]*(?=:)/, (source) => resolve(directory, source)) : text;
};

/** Returns the tree with absolute paths. */
export const withAbsolutePaths = (node: TreeNode, directory: string, path = ''): TreeNode => {
  switch (node.tag) {
    case 'scalar':
      return typeof node.value === 'string'
        ? { ...node, value: resolved(node.value, path, directory) }
        : node;
    case 'list':
      return { ...node, items: node.items.map((item) => withAbsolutePaths(item, directory, path)) };
    case 'map':
      return {
        ...node,
        entries: node.entries.map(({ key, value, ...entry }) => ({
          ...{ ...entry, key },
          value: withAbsolutePaths(value, directory, below(path, key)),
        })),
      };
    case 'broken':
      return node;
  }
};
