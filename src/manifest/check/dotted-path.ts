// Dotted paths in the assembled manifest: `projects.shop.services.web.backoff`.

export const below = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);
