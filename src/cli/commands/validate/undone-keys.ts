// Manifest keys that the supervisor cannot carry out without calls to the C library.
import { INSTALL_FFI } from '../../../os/libc.ts';
import type { Manifest, Problem } from '../../../streams/domain/declared/manifest.ts';
import type { ServiceSpec } from '../../../streams/domain/declared/spec.ts';
import { LOOSE } from '../../../streams/domain/ids.ts';
import { needsCalls } from '../../../streams/launch/needs-calls.ts';
import type { Context } from '../../context.ts';

const placeOf = ({ project, name }: ServiceSpec): string =>
  `${project === LOOSE ? '' : `projects.${project}.`}services.${name}`;

/**
 * A warning (ERR0741) per service with such keys. `absence`: why calls are not possible; absent: they are.
 */
export const undoneIn =
  ({ sys }: Pick<Context, 'sys'>, absence: string | undefined) =>
  ({ path, services }: Manifest): readonly Problem[] =>
    absence === undefined
      ? []
      : services
          .map((spec) => ({ place: placeOf(spec), keys: needsCalls(spec, sys) }))
          .filter(({ keys }) => keys.length > 0)
          .map(({ place, keys }) => ({
            ...{ code: 'ERR0741', severity: 'warning', path: place, file: path, hint: INSTALL_FFI },
            message: `not carried out without calls to the C library (${absence}): ${keys.join(', ')}`,
          }));
