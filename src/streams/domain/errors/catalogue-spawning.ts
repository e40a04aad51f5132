// The part of the catalogue about children that services request.
import { entry, type CatalogueEntry } from './catalogue-entry.ts';

type Spawning = `ERR040${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8}`;

export const SPAWNING: Readonly<Record<Spawning, CatalogueEntry>> = {
  ERR0401: entry(
    'not a living part of a service',
    'sup spawn was run outside every service, by a process that has left its service, or by another user than the service',
    'run it inside the service that is to have the child, and not detached from it',
  ),
  ERR0402: entry(
    'the service takes no children',
    'its spawn.mode is static, which is the default',
    'write spawn: { mode: dynamic } in its manifest, then sup apply',
  ),
  ERR0403: entry(
    'a limit of spawn.limits is reached',
    'as many children, descendants or levels are alive as the manifest allows, or they hold as much memory',
    'wait for children to end (to list them: sup inspect), or raise the limit in the manifest',
  ),
  ERR0404: entry(
    'too many spawns in a second',
    'one parent has ten children started within a second at the most',
    'try again after the time that is printed',
  ),
  ERR0405: entry(
    'name of a child in use',
    'a living child of the same parent has that name',
    'choose another --name, or leave it out',
  ),
  ERR0406: entry(
    'who asks cannot be found out',
    'the kernel is asked who is at the other end of the control socket, which takes the C library',
    'npm run addon, in the directory of sup: it compiles ffi-napi, or says what is missing',
  ),
  ERR0407: entry(
    'the service is ending',
    'who is being stopped gets no children any more',
    'ask again when the service runs',
  ),
  ERR0408: entry(
    'confined otherwise than its service',
    'a child is started with the confinement of its service, so a process that has confined itself further would escape through it',
    'ask from a process of the service that has not confined itself, or declare the confinement in the manifest',
  ),
};
