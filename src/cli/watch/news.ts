// The news for a live view: a supervisor was found, upgraded or lost, or its services have changed.
import { map, merge, type Observable, of, scan, switchMap } from 'rxjs';
import { hellos, type SupervisorLink, views, whileAnswered } from '../../client/reconnecting-link.ts';
import type { Selection } from '../../streams/domain/command.ts';
import type { ErrorDocument } from '../../streams/wire/documents/basic-documents.ts';
import type { Hello, View } from '../../streams/wire/protocol.ts';

export type News =
  /** A supervisor answers. `again`: it is not the first connection. */
  | { readonly tag: 'found'; readonly hello: Hello; readonly again: boolean }
  /** The supervisor's process has executed a new program, or the same one again. */
  | { readonly tag: 'upgraded'; readonly hello: Hello }
  | { readonly tag: 'seen'; readonly view: View }
  /** The connection to the supervisor is lost or cannot be made. The view waits for another supervisor. */
  | { readonly tag: 'lost'; readonly error: ErrorDocument };

interface Counted {
  readonly link?: SupervisorLink;
  /** Number of connections so far. */
  readonly count: number;
}

function newsIn({ link, count }: Counted, selection: Selection): Observable<News> {
  if (link?.tag !== 'up')
    return link === undefined ? of() : of({ tag: 'lost', error: link.failure.document });
  const { client } = link;
  const hello$ = hellos(client).pipe(
    map((hello, at): News =>
      at === 0 ? { tag: 'found', hello, again: count > 1 } : { tag: 'upgraded', hello },
    ),
  );
  const seen$ = views(client, selection).pipe(map((view): News => ({ tag: 'seen', view })));
  return whileAnswered(merge(hello$, seen$));
}

/** Emits the news of the supervisor and of the selected services. */
export function newsOf(link$: Observable<SupervisorLink>, selection: Selection): Observable<News> {
  return link$.pipe(
    scan(({ count }: Counted, link): Counted => ({ link, count: count + (link.tag === 'up' ? 1 : 0) }), {
      count: 0,
    }),
    switchMap((counted) => newsIn(counted, selection)),
  );
}
